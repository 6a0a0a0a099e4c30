import type { UseQueryResult } from '@tanstack/react-query';
import { type EmptyReason, emptyReason } from '../../../features/issues/empty-reason.ts';
import type { IssuePage } from '../../../features/issues/issue-search.ts';
import { ISSUES_PER_PAGE } from '../../../features/issues/issue-search.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import { Pagination } from '../../../ui/data-list/pagination.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { WorkLine } from '../../../ui/states/work-line.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { type ComplianceSearch, isFiltered, withoutFilters } from '../search-params.ts';
import { scoredCount } from '../shown-score.ts';
import type { PageScores } from '../use-page-scores.ts';
import { EmptyIssues } from './empty-issues.tsx';
import classes from './issue-list.module.css';
import type { RowActions } from './issue-row.tsx';
import { IssueTable } from './issue-table.tsx';

export type IssueListProps = Omit<RowActions, 'hrefOf'> & {
  list: UseQueryResult<IssuePage>;
  scores: PageScores;
  metric: string;
  /** What 100% means; null where more is simply better. */
  meaning: string | null;
  /** The same in a few words, displayed under the metric's name. */
  shortMeaning: string | null;
  navigation: ScreenNavigation<ComplianceSearch>;
  currentId: string | null;
};

function useEmptyReason(total: number): EmptyReason {
  const { data: projects } = useProjects();
  const { data: trackers = [] } = useTrackers();
  const isReading = trackers.some(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  return emptyReason({ total, projects: projects?.length, working: isReading });
}

/** How far the scores of this page are; nothing once all are there. */
function ScoreProgress({ page, scores }: { page: IssuePage; scores: PageScores }) {
  const total = page.issues.length;
  const scored = scoredCount(page.issues.map(({ id }) => scores.scoreOf(id)));
  if (!scores.pending || scored === total) return null;
  return <WorkLine label="Scoring" count={`${scored} of ${total} scored`} share={scored / total} />;
}

function Filled({ page, ...props }: IssueListProps & { page: IssuePage }) {
  const { list, scores, metric, meaning, shortMeaning, navigation, currentId, ...actions } = props;
  const { search, hrefFor } = navigation;
  return (
    <>
      {page.notice === null ? null : <p className={classes.notice}>{page.notice}</p>}
      {scores.error === null ? null : (
        <div className={frame.failed}>
          <ErrorState
            error={scores.error}
            title="Scores could not be loaded"
            onRetry={scores.retry}
            retrying={scores.retrying}
          />
        </div>
      )}
      <IssueTable
        issues={page.issues}
        found={page.found}
        scoreOf={scores.scoreOf}
        metric={metric}
        meaning={meaning}
        shortMeaning={shortMeaning}
        selectedId={search.selectedIssue}
        currentId={currentId}
        stale={list.isPlaceholderData}
        hrefOf={(issueId) => hrefFor({ ...search, selectedIssue: issueId })}
        {...actions}
      />
      {/* Under the rows, so that none moves while somebody reads. */}
      <ScoreProgress page={page} scores={scores} />
      {page.capped ? (
        <p className={classes.more}>
          More than {countText(page.total)} issues match. The first {countText(page.total)} are listed; a
          search and filters narrow them down.
        </p>
      ) : null}
      <Pagination
        page={search.page}
        pageSize={ISSUES_PER_PAGE}
        total={page.total}
        totalText={page.capped ? `${countText(page.total)}+` : countText(page.total)}
        hrefFor={(target) => hrefFor({ ...search, page: target, selectedIssue: null })}
      />
    </>
  );
}

/** The card with the table, in each of its states: loading, failed, empty, filled. */
export function IssueList(props: IssueListProps) {
  const { list, navigation } = props;
  const { search, go, hrefFor } = navigation;
  const { data, error } = list;
  const reason = useEmptyReason(data?.total ?? 0);
  const retry = { onRetry: () => void list.refetch(), retrying: list.isFetching };
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} title="Failed to load issues." {...retry} />;
    return (
      <Card>
        <Loading label="Loading issues">
          <div className={frame.headGap} />
          <RowsSkeleton rows={ISSUES_PER_PAGE} />
          <div className={frame.pagerGap} />
        </Loading>
      </Card>
    );
  }
  const lastPage = Math.max(1, Math.ceil(data.total / ISSUES_PER_PAGE));
  return (
    <Card>
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState error={error} title="This list could not be brought up to date" {...retry} />
        </div>
      )}
      {data.issues.length === 0 ? (
        <EmptyIssues
          reason={reason}
          filtered={isFiltered(search)}
          lastPageHref={hrefFor({ ...search, page: lastPage, selectedIssue: null })}
          onClearAll={() => go(withoutFilters(search))}
        />
      ) : (
        <Filled {...props} page={data} />
      )}
    </Card>
  );
}
