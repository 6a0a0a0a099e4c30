import { Alert, Button } from '@mantine/core';
import { IconRadar2 } from '@tabler/icons-react';
import type { DependencyGraph } from '@winnow/contract/dependency';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { cappedText, DataList } from '../../../ui/data-list/data-list.tsx';
import { type Column, DataTable, type DataTableProps, RowTitle } from '../../../ui/data-list/data-table.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import badges from '../badges/badges.module.css';
import { DependencyBadge } from '../badges/dependency-badge.tsx';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import { dependenciesOf, dependencyKey, type ListedIssue } from '../dependency-state.ts';
import { type DependenciesSearch, PAGE_SIZE, withFilters } from '../search-params.ts';
import type { Scan } from '../use-scan.ts';
import classes from './issue-list.module.css';
import table from './issue-table.module.css';
import { ProjectLine } from './project-line.tsx';
import { ADDED_ID, ScanLine } from './scan-line.tsx';
import type { ListedPage, ShownList } from './shown-list.ts';

/** Maximum number of badges in a row. The panel shows all dependencies. */
const MAX_BADGES = 4;

type RowProps = { scan: Scan; actions: DependencyActions };

function Badges({ issue, scan, actions }: RowProps & { issue: ListedIssue }) {
  const sided = dependenciesOf(issue.id, scan.dependencies);
  const rest = sided.length - MAX_BADGES;
  if (sided.length === 0) return null;
  return (
    <span className={table.badges}>
      {sided.slice(0, MAX_BADGES).map((one) => (
        <DependencyBadge key={`${dependencyKey(one.dependency)}`} sided={one} actions={actions} />
      ))}
      {rest > 0 ? (
        <Link className={badges.more} to={actions.hrefOf(issue.id)} preventScrollReset>
          {rest} more
        </Link>
      ) : null}
    </span>
  );
}

function ExpandScan({ issue, scan }: { issue: ListedIssue; scan: Scan }) {
  const isExpanding = scan.expanding === issue.id;
  return (
    <Button
      size="xs"
      leftSection={<IconRadar2 size={14} stroke={1.75} aria-hidden />}
      aria-label={`Expand Scan from ${issue.key}`}
      loading={isExpanding}
      disabled={!isExpanding && (scan.expanding !== null || scan.full || scan.pending)}
      title={scan.full ? 'The maximum number of issues has been scanned.' : undefined}
      onClick={() => scan.expand(issue.id)}
    >
      Expand Scan
    </Button>
  );
}

/**
 * Returns the columns: key, title with dependency badges, status, and the button that expands the
 * scan.
 */
function columnsOf({ scan, actions }: RowProps): Column<ListedIssue>[] {
  return [
    {
      id: 'key',
      head: 'ID',
      cell: ({ key, project_id: projectId }) => (
        <>
          <RowKey>{key}</RowKey>
          <TrackerMark projectId={projectId} />
        </>
      ),
    },
    {
      id: 'name',
      head: 'Title',
      className: table.name,
      cell: (issue, { replace }) => (
        <>
          <RowTitle
            className={table.title}
            to={actions.hrefOf(issue.id)}
            title={issue.title}
            replace={replace}
          />
          <Badges issue={issue} scan={scan} actions={actions} />
        </>
      ),
    },
    {
      id: 'status',
      head: 'Status',
      className: table.status,
      cell: ({ status }) => (
        <>
          <StatusIcon status={status} />
          <span className="trunc" title={status} aria-hidden="true">
            {status}
          </span>
        </>
      ),
    },
    {
      id: 'actions',
      head: 'Actions',
      className: table.actions,
      cell: (issue) => <ExpandScan issue={issue} scan={scan} />,
    },
  ];
}

/** Explains why the list of issues is empty, and suggests one action. */
function NoIssues({
  page,
  navigation,
}: {
  page: ListedPage;
  navigation: ScreenNavigation<DependenciesSearch>;
}) {
  const { search, go } = navigation;
  const { data: trackers = [] } = useTrackers();
  const isReading = trackers.some(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  const lastPage = Math.ceil(page.total / PAGE_SIZE);
  return (
    <Alert color="warning" title="No Issues Found" className={classes.none ?? ''}>
      {lastPage > 0 ? (
        <>
          <p>This page is empty.</p>
          <Button size="xs" mt={8} onClick={() => go({ ...search, page: lastPage, selectedIssue: null })}>
            Go to the last page
          </Button>
        </>
      ) : search.show === 'dependent' ? (
        <>
          <p>
            {`No ${search.status === 'all' ? '' : search.status === 'opened' ? 'open ' : 'closed '}issue in this project has a known dependency.`}
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

export type IssueListProps = RowProps & {
  list: ShownList;
  /** Dependency graph of the project; undefined while loading. */
  known: DependencyGraph | undefined;
  projectId: string;
  navigation: ScreenNavigation<DependenciesSearch>;
  walk: ListWalk;
};

/** List of the issues of a project with their dependencies. */
export function IssueList(props: IssueListProps) {
  const { list, known, projectId, navigation, walk, scan, actions } = props;
  const { search, hrefFor } = navigation;
  const { page } = list;
  const firstId = page?.issues[0]?.id;
  const shown = useRef(search.show);
  // The link that limits the list to dependent issues disappears when clicked. Move the focus to
  // the first issue, so that it is not lost.
  useEffect(() => {
    if (shown.current === search.show || firstId === undefined) return;
    shown.current = search.show;
    if (walk.rows.isFocusFree()) walk.rows.focus(firstId);
  }, [search.show, firstId, walk.rows]);
  if (page?.issues.length === 0) return <NoIssues page={page} navigation={navigation} />;
  const shared: Omit<DataTableProps<ListedIssue>, 'label' | 'rows'> = {
    columns: columnsOf({ scan, actions }),
    classes: table,
    walk,
    selectedId: search.selectedIssue,
    onOpen: ({ id }) => walk.open(id),
  };
  const dependentHref =
    search.show === 'dependent' ? null : hrefFor(withFilters(search, { show: 'dependent', status: 'all' }));
  return (
    <DataList
      {...shared}
      list={{ ...list, rows: page?.issues }}
      label="Issues"
      loadingLabel="Loading issues"
      failedTitle="Failed to load issues."
      skeletonRows={PAGE_SIZE}
      empty={null}
      above={
        <>
          {known === undefined ? null : (
            <ProjectLine known={known} projectId={projectId} dependentHref={dependentHref} />
          )}
          <ScanLine scan={scan} onCommit={actions.onCommit} heldBack={actions.heldBack} />
        </>
      }
      below={
        scan.further.length === 0 ? null : (
          <>
            <h3 className={classes.further} id={ADDED_ID} tabIndex={-1}>
              Added by Expand Scan
            </h3>
            <DataTable {...shared} rows={scan.further} label="Added by Expand Scan" stale={list.stale} />
          </>
        )
      }
      pager={{
        page: search.page,
        pageSize: PAGE_SIZE,
        total: page?.total ?? 0,
        totalText: cappedText(page?.total ?? 0, page?.capped ?? false),
        hrefFor: (target) => hrefFor({ ...search, page: target, selectedIssue: null }),
      }}
    />
  );
}
