import { Button, Tooltip } from '@mantine/core';
import { IconHistory, IconListSearch } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { FlowExecution } from '@winnow/contract/flow';
import { Link } from 'react-router';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { DataList, listStateOf } from '../../../ui/data-list/data-list.tsx';
import type { Column } from '../../../ui/data-list/data-table.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { durationText, exactTimeText } from '../../../ui/texts/relative-time-text.ts';
import { ExecutionStatusBadge } from '../execution-status.tsx';
import { actionsText, eventText, shortId } from '../flow-texts.ts';
import classes from './execution-table.module.css';
import type { ExecutionPage } from './queries.ts';
import { type ExecutionsSearch, executionAddress, PAGE_SIZE } from './search-params.ts';

/** Number of skeleton rows while the list loads. */
const SKELETON_ROWS = 8;

/**
 * Describes the issue or project of an execution and its trigger, such as `acme/web#12, Issue
 * Opened`.
 */
function subjectText({ issue_key, project, type }: FlowExecution['trigger_event']): string {
  return [issue_key ?? project, eventText(type)].filter((part) => part !== null).join(', ');
}

function Subject({ execution: { flow_id, flow_name, trigger_event } }: { execution: FlowExecution }) {
  const subject = subjectText(trigger_event);
  return (
    <>
      <Link className="trunc" to={`/console/flows/${flow_id}`} title={`${flow_name}, ${flow_id}`} dir="auto">
        {flow_name}
      </Link>
      <span className={`${classes.subject} trunc`} title={subject} dir="auto">
        {subject} <TrackerMark projectId={trigger_event.project_id} />
      </span>
    </>
  );
}

function EndTime({ execution: { start_time, end_time } }: { execution: FlowExecution }) {
  if (end_time === null) return <span className={classes.wideWord}>-</span>;
  return (
    <>
      <span className={classes.narrowWord}>Ended </span>
      <ExactTime at={end_time} />
      {start_time === null ? null : (
        <span className={classes.took}>{durationText(Date.parse(end_time) - Date.parse(start_time))}</span>
      )}
    </>
  );
}

const COLUMNS: Column<FlowExecution>[] = [
  {
    id: 'id',
    head: 'Execution ID',
    className: classes.id,
    cell: ({ id, dry_run }) => (
      <>
        <code title={id}>{shortId(id)}</code>
        {dry_run ? <Badge small>Dry run</Badge> : null}
      </>
    ),
  },
  {
    id: 'flow',
    head: 'Flow ID',
    className: classes.flow,
    cell: (execution) => <Subject execution={execution} />,
  },
  {
    id: 'status',
    head: 'Status',
    className: classes.status,
    cell: ({ status }) => <ExecutionStatusBadge status={status} />,
  },
  {
    id: 'start',
    head: 'Start Time',
    className: classes.start,
    cell: ({ start_time }) => (start_time === null ? '-' : <ExactTime at={start_time} />),
  },
  {
    id: 'end',
    head: 'End Time',
    className: classes.end,
    cell: (execution) => <EndTime execution={execution} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    className: classes.actions,
    cell: ({ actions_taken_summary: { length } }) => (
      <>
        <span className={classes.wideWord}>{countText(length)}</span>
        <span className={classes.narrowWord}>{actionsText(length)}</span>
      </>
    ),
  },
  {
    id: 'view',
    head: <span className="vh">Details</span>,
    className: classes.view,
    cell: ({ id }) => (
      <Button
        component={Link}
        to={executionAddress(id)}
        size="xs"
        aria-label={`View execution ${shortId(id)}`}
      >
        View
      </Button>
    ),
  },
];

/** Explains why the list of executions is empty, and suggests one action. */
function NoExecutions({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        icon={IconListSearch}
        title="No executions found here."
        action={<Button onClick={onShowAll}>Show all</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={IconHistory}
      title="No flow has run yet"
      action={
        <Button component={Link} to="/console/flows" variant="filled">
          Go to Flows
        </Button>
      }
    >
      Everything a flow does is recorded here: what started it, its calls, its proposals, and what it cost.
    </EmptyState>
  );
}

export type ExecutionListProps = {
  list: UseQueryResult<ExecutionPage>;
  navigation: ScreenNavigation<ExecutionsSearch>;
  walk: ListWalk;
};

/** List of executions, newest first. */
export function ExecutionList({ list, navigation, walk }: ExecutionListProps) {
  const { search, go, hrefFor } = navigation;
  return (
    <DataList
      list={listStateOf(list, ({ executions }) => executions)}
      label="Flow executions"
      loadingLabel="Loading executions"
      failedTitle="Executions could not be loaded"
      skeletonRows={SKELETON_ROWS}
      columns={COLUMNS}
      classes={classes}
      walk={walk}
      onOpen={({ id }) => walk.open(id)}
      empty={
        <NoExecutions
          filtered={search.flow !== null || search.status !== null || search.page > 1}
          onShowAll={() => go({ page: 1, flow: null, status: null })}
        />
      }
      pager={{
        page: search.page,
        pageSize: PAGE_SIZE,
        total: list.data?.total ?? 0,
        hrefFor: (page) => hrefFor({ ...search, page }),
      }}
    />
  );
}

/** Time with seconds. A tooltip shows the relative time. */
function ExactTime({ at }: { at: string }) {
  return (
    <Tooltip label={<RelativeTime at={at} />}>
      <time dateTime={at}>{exactTimeText(Date.parse(at))}</time>
    </Tooltip>
  );
}
