import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowsSplit2, IconPlayerPlay } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Flow } from '@winnow/contract/flow';
import { Link, useNavigate } from 'react-router';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import { DataList, listStateOf } from '../../../ui/data-list/data-list.tsx';
import { type Column, RowTitle } from '../../../ui/data-list/data-table.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { ExecutionStatusBadge } from '../execution-status.tsx';
import { executionAddress } from '../executions/search-params.ts';
import { FlowIcon } from '../flow-icon.tsx';
import { eventText } from '../flow-texts.ts';
import classes from './flow-table.module.css';

function addressOf(flowId: string): string {
  return `/console/flows/${flowId}`;
}

function Name({ flow: { id, name, description, icon, problem } }: { flow: Flow }) {
  return (
    <>
      <span className={classes.icon}>
        <FlowIcon icon={icon} />
      </span>
      <span className={classes.about}>
        <RowTitle className={classes.title} to={addressOf(id)} title={name} />
        {problem === null ? (
          <span className={`${classes.description} trunc`} title={description ?? ''} dir="auto">
            {description}
          </span>
        ) : (
          <span className={classes.problem}>{problem}</span>
        )}
      </span>
    </>
  );
}

function LastExecution({ last }: { last: Flow['last_execution'] }) {
  if (last === null) return <span className={classes.never}>Not yet</span>;
  return (
    <Link className={classes.execution} to={executionAddress(last.id)}>
      <ExecutionStatusBadge status={last.status} small />
      {last.start_time === null ? null : <RelativeTime at={last.start_time} />}
    </Link>
  );
}

function columnsOf(onRun: (flow: Flow) => void): Column<Flow>[] {
  return [
    { id: 'name', head: 'Flow', className: classes.name, cell: (flow) => <Name flow={flow} /> },
    {
      id: 'trigger',
      head: 'Starts on',
      className: classes.trigger,
      cell: ({ trigger_event_type, is_enabled }) => (
        <>
          {eventText(trigger_event_type)}
          {is_enabled ? null : <Badge small>Off</Badge>}
        </>
      ),
    },
    {
      id: 'last',
      head: 'Last execution',
      className: classes.last,
      cell: ({ last_execution }) => <LastExecution last={last_execution} />,
    },
    {
      id: 'run',
      head: <span className="vh">Actions</span>,
      className: classes.run,
      cell: (flow) => (
        <Tooltip label="Run now">
          <PermissionGate needs="write">
            <ActionIcon aria-label={`Run ${flow.name} now`} onClick={() => onRun(flow)}>
              <IconPlayerPlay size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </PermissionGate>
        </Tooltip>
      ),
    },
  ];
}

export type FlowListProps = {
  flows: UseQueryResult<Flow[]>;
  walk: ListWalk;
  onRun: (flow: Flow) => void;
};

/** List of the account's flows, each with its trigger and last execution. */
export function FlowList({ flows, walk, onRun }: FlowListProps) {
  const navigate = useNavigate();
  return (
    <DataList
      list={listStateOf(flows, (all) => all)}
      title="Your Flows"
      label="Your flows"
      loadingLabel="Loading flows"
      failedTitle="Flows could not be loaded"
      skeletonRows={3}
      columns={columnsOf(onRun)}
      classes={classes}
      walk={walk}
      onOpen={({ id }) => void navigate(addressOf(id))}
      empty={
        <EmptyState icon={IconArrowsSplit2} title="You have no flows yet">
          Clone a preset below, choose a project, and run it manually on one issue first.
        </EmptyState>
      }
    />
  );
}
