import { Button } from '@mantine/core';
import { IconCircleDashedCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { pairList } from '@winnow/contract/duplicate';
import { Link } from 'react-router';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { StatusIcon } from '../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../features/issues/tracker-mark.tsx';
import { SEARCH_DEFAULTS } from '../../features/pairs/pair-search.ts';
import { pairsText, probabilityText, thresholdText } from '../../features/pairs/pair-texts.ts';
import { standingFilters } from '../../features/pairs/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../ui/states/skeletons.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import { issuesWithDuplicates, MAX_PAIRS } from './issues-with-duplicates.ts';
import classes from './screen.module.css';

function usePairs() {
  const { status, resolution, scope } = SEARCH_DEFAULTS;
  const filters = {
    ...standingFilters(status),
    ...{ resolution, scope, above_mark: true, order_by: 'probability' },
    ...{ one_per_series: true, limit: MAX_PAIRS },
  };
  return useQuery({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates/', { query: filters, schema: pairList, signal }),
  });
}

/**
 * Issues dashboard: lists issues that may be duplicates, each with a link to its most similar pair.
 */
export function IssuesDashboardScreen() {
  const { data, error, isFetching, refetch } = usePairs();
  if (data === undefined) {
    return (
      <Page width="full">
        {error === null ? (
          <Card>
            <Loading label="Loading issues with duplicates">
              <RowsSkeleton rows={8} rowHeight={44} lines={1} />
            </Loading>
          </Card>
        ) : (
          <ErrorState
            error={error}
            title="Failed to load issues."
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
      </Page>
    );
  }
  const issues = issuesWithDuplicates(data.duplicates);
  const pairs = data.total === 1 ? '1 pair' : `${pairsText(data.total)} pairs`;
  return (
    <Page width="full">
      <Card>
        {issues.length === 0 ? null : (
          <p className={classes.about}>
            {`Issues that may be the same as another one (${thresholdText(data.mark)}), each with its most likely pair.`}{' '}
            <Link className="link" to="/console/issues">
              {`Decide about ${pairs}`}
            </Link>
          </p>
        )}
        {issues.length === 0 ? (
          <EmptyState
            icon={IconCircleDashedCheck}
            title="No duplicate issues found."
            action={
              <Button component={Link} to="/console/issues">
                Go to Similarity
              </Button>
            }
          >
            Issues that may be the same as another one are listed here.
          </EmptyState>
        ) : (
          <ul aria-label="Issues that have duplicates">
            {issues.map(({ issue, other, probability, pairId }) => (
              <li className={classes.issue} key={issue.id}>
                <StatusIcon status={issue.status} />
                <IssueKey>{issue.key}</IssueKey>
                <TrackerMark projectId={issue.project_id} />
                <Link
                  className={`${classes.title} trunc`}
                  to={`/console/issues?selectedPair=${pairId}`}
                  dir="auto"
                >
                  {issue.title}
                </Link>
                <span className={classes.like}>
                  {probabilityText(probability)} likely to be the same as <IssueKey>{other.key}</IssueKey>{' '}
                  <TrackerMark projectId={other.project_id} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {data.total > MAX_PAIRS ? (
          <p className={classes.more}>
            These are the issues of the {countText(MAX_PAIRS)} most likely pairs.{' '}
            <Link className="link" to="/console/issues">
              Open the queue
            </Link>
          </p>
        ) : null}
      </Card>
    </Page>
  );
}
