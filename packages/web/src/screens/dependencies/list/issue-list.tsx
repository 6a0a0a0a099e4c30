import { Alert, Button } from '@mantine/core';
import type { DependencyGraph } from '@winnow/contract/dependency';
import { useEffect, useRef } from 'react';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import { Pagination } from '../../../ui/data-list/pagination.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { type DependenciesSearch, PAGE_SIZE, withFilters } from '../search-params.ts';
import classes from './issue-list.module.css';
import type { RowProps } from './issue-row.tsx';
import { IssueTable } from './issue-table.tsx';
import { ProjectLine } from './project-line.tsx';
import { issueRowId } from './row-id.ts';
import { ADDED_ID, ScanLine } from './scan-line.tsx';
import type { ListedPage, ShownList } from './shown-list.ts';

/** Rows that stand for the issues while they load. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <Card>
      <Loading label={label}>
        <div className={frame.headGap} />
        <RowsSkeleton rows={PAGE_SIZE} />
        <div className={frame.pagerGap} />
      </Loading>
    </Card>
  );
}

/** Why no issue is listed, and the way out. */
function NoIssues({ page, navigation }: { page: ListedPage; navigation: IssueListProps['navigation'] }) {
  const { search, go } = navigation;
  const { data: trackers = [] } = useTrackers();
  const isReading = trackers.some(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  const lastPage = Math.ceil(page.total / PAGE_SIZE);
  return (
    <Alert color="warning" title="No Issues Found" className={classes.none ?? ''}>
      {lastPage > 0 ? (
        <>
          <p>Nothing is left on this page.</p>
          <Button size="xs" mt={8} onClick={() => go({ ...search, page: lastPage, selectedIssue: null })}>
            Go to the last page
          </Button>
        </>
      ) : search.show === 'dependent' ? (
        <>
          <p>
            {`No ${search.status === 'all' ? '' : search.status === 'opened' ? 'open ' : 'closed '}issue of this project has a dependency that is known.`}
          </p>
          <Button size="xs" mt={8} onClick={() => go(withFilters(search, { show: 'all' }))}>
            Show all issues
          </Button>
        </>
      ) : (
        <>
          <p>
            {isReading
              ? 'The tracker is being read. Issues appear here as they arrive.'
              : search.status === 'all'
                ? 'This project has no issues yet.'
                : `This project has no ${search.status === 'opened' ? 'open' : 'closed'} issues.`}
          </p>
          {search.status === 'all' ? null : (
            <Button size="xs" mt={8} onClick={() => go(withFilters(search, { status: 'all' }))}>
              Show all issues
            </Button>
          )}
        </>
      )}
    </Alert>
  );
}

function Filled({ page, list, known, navigation, currentId, ...row }: IssueListProps & { page: ListedPage }) {
  const { search, hrefFor } = navigation;
  const first = page.issues[0]?.id ?? '';
  const shown = useRef(search.show);
  // The link that asks for fewer issues goes away with the others; whoever followed it goes on at the first.
  useEffect(() => {
    if (shown.current === search.show) return;
    shown.current = search.show;
    if (document.activeElement === document.body) document.getElementById(issueRowId(first))?.focus();
  }, [search.show, first]);
  return (
    <>
      {known === undefined ? null : (
        <ProjectLine
          known={known}
          projectId={row.projectId}
          dependentHref={
            search.show === 'dependent'
              ? null
              : hrefFor(withFilters(search, { show: 'dependent', status: 'all' }))
          }
        />
      )}
      <ScanLine scan={row.scan} onCommit={row.actions.onCommit} heldBack={row.actions.heldBack} />
      <IssueTable
        issues={page.issues}
        selectedId={search.selectedIssue}
        currentId={currentId}
        stale={list.stale}
        {...row}
      />
      {row.scan.further.length === 0 ? null : (
        <>
          <h3 className={classes.further} id={ADDED_ID} tabIndex={-1}>
            Added by Expand Scan
          </h3>
          <IssueTable
            issues={row.scan.further}
            label="Added by Expand Scan"
            selectedId={search.selectedIssue}
            currentId={currentId}
            stale={list.stale}
            {...row}
          />
        </>
      )}
      <Pagination
        page={search.page}
        pageSize={PAGE_SIZE}
        total={page.total}
        totalText={page.capped ? `${countText(page.total)}+` : countText(page.total)}
        hrefFor={(target) => hrefFor({ ...search, page: target, selectedIssue: null })}
      />
    </>
  );
}

export type IssueListProps = RowProps & {
  list: ShownList;
  /** What is known of the whole project; undefined while it loads. */
  known: DependencyGraph | undefined;
  projectId: string;
  navigation: ScreenNavigation<DependenciesSearch>;
  currentId: string | null;
};

/** The card with the table, in each of its states: loading, failed, empty, filled. */
export function IssueList(props: IssueListProps) {
  const { list } = props;
  const { page, error } = list;
  const retry = { onRetry: list.retry, retrying: list.retrying };
  if (page === undefined) {
    if (error !== null) return <ErrorState error={error} title="Failed to load issues." {...retry} />;
    return <ListSkeleton label="Loading issues" />;
  }
  if (page.issues.length === 0) return <NoIssues page={page} navigation={props.navigation} />;
  return (
    <Card>
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState error={error} title="This list could not be brought up to date" {...retry} />
        </div>
      )}
      <Filled {...props} page={page} />
    </Card>
  );
}
