import type { UseQueryResult } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import { Link } from 'react-router';
import {
  type ChangesSearch,
  isFiltered,
  PAGE_SIZE,
  withFilters,
} from '../../../features/changes/change-search.ts';
import { decisionText, KIND_LABELS, requesterText, titleOf } from '../../../features/changes/change-texts.ts';
import { StatusBadge } from '../../../features/changes/status-badge.tsx';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { pairsOfIssue } from '../../../features/pairs/pairs-of-issue.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { DataList, listStateOf } from '../../../ui/data-list/data-list.tsx';
import { type Column, RowTitle } from '../../../ui/data-list/data-table.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import type { ChangeList as Page } from '../queries.ts';
import classes from './change-table.module.css';
import { EmptyChanges } from './empty-changes.tsx';

/** Number of skeleton rows while the list loads. */
const SKELETON_ROWS = 8;

/**
 * Returns the columns: change with its issues, kind, people, status and time. A narrow list hides
 * kind and people.
 */
function columnsOf(hrefOf: (changeId: string) => string): Column<Change>[] {
  return [
    {
      id: 'change',
      head: 'Change',
      className: classes.change,
      cell: (change, { replace }) => (
        <>
          <RowTitle to={hrefOf(change.id)} title={titleOf(change)} replace={replace} />
          <span className={classes.keys}>
            {change.issues.map(({ id, key, project_id: projectId }) => (
              <Link className={classes.key} to={pairsOfIssue(key)} key={id}>
                <RowKey>{key}</RowKey>
                <TrackerMark projectId={projectId} />
              </Link>
            ))}
          </span>
        </>
      ),
    },
    { id: 'kind', head: 'Kind', className: classes.kind, cell: ({ kind }) => KIND_LABELS[kind] },
    {
      id: 'people',
      head: 'Requested by',
      className: classes.people,
      cell: (change) => <People change={change} />,
    },
    {
      id: 'status',
      head: 'Status',
      className: classes.status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'time',
      head: 'When',
      className: classes.time,
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ];
}

function People({ change }: { change: Change }) {
  const decision = decisionText(change);
  return (
    <>
      <span className="trunc" title={requesterText(change)}>
        {requesterText(change)}
      </span>
      {decision === null ? null : (
        <span className={`${classes.decision} trunc`} title={decision}>
          {decision}
        </span>
      )}
    </>
  );
}

export type ChangeListProps = {
  list: UseQueryResult<Page>;
  navigation: ScreenNavigation<ChangesSearch>;
  walk: ListWalk;
};

/** List of changes, newest first. */
export function ChangeList({ list, navigation, walk }: ChangeListProps) {
  const { search, go, hrefFor } = navigation;
  const pageHref = (page: number) => hrefFor({ ...search, page, selected: null });
  const total = list.data?.total ?? 0;
  const lastPage = Math.ceil(total / PAGE_SIZE);
  return (
    <DataList
      list={listStateOf(list, ({ changes }) => changes)}
      label="Changes"
      loadingLabel="Loading changes"
      failedTitle="Changes could not be loaded"
      skeletonRows={SKELETON_ROWS}
      columns={columnsOf((changeId) => hrefFor({ ...search, selected: changeId }))}
      classes={classes}
      walk={walk}
      selectedId={search.selected}
      onOpen={({ id }) => walk.open(id)}
      empty={
        <EmptyChanges
          filtered={isFiltered(search)}
          lastPageHref={lastPage === 0 ? null : pageHref(lastPage)}
          onClearAll={() => go(withFilters(search, { status: null, kind: null, issue: '' }))}
        />
      }
      pager={{ page: search.page, pageSize: PAGE_SIZE, total, hrefFor: pageHref }}
    />
  );
}
