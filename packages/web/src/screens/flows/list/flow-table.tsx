import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { Flow } from '@winnow/contract/flow';
import { Link, useNavigate } from 'react-router';
import { Badge } from '../../../theme/parts/badge.tsx';
import { ListRow } from '../../../ui/data-list/list-row.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { ExecutionStatusBadge } from '../execution-status.tsx';
import { executionAddress } from '../executions/search-params.ts';
import { FlowIcon } from '../flow-icon.tsx';
import { eventText } from '../flow-texts.ts';
import classes from './flow-table.module.css';

/** The id of a row's element, by which the keyboard finds it. */
export function flowRowId(flowId: string): string {
  return `flow-${flowId}`;
}

export type FlowTableProps = {
  flows: readonly Flow[];
  /** The row that the keyboard is on; null before it was used. */
  currentId: string | null;
  onFocus: (flowId: string) => void;
  onRun: (flow: Flow) => void;
};

/** The account's flows: what starts each, and what became of it last. */
export function FlowTable({ flows, currentId, onFocus, onRun }: FlowTableProps) {
  const reachable = flows.some(({ id }) => id === currentId) ? currentId : (flows[0]?.id ?? null);
  return (
    <table {...TABLE_ROLES.table} className={classes.table} aria-label="Your flows">
      <thead {...TABLE_ROLES.group} className={classes.head}>
        <tr {...TABLE_ROLES.row} className={classes.headRow}>
          <th {...TABLE_ROLES.head} className={classes.name}>
            Flow
          </th>
          <th {...TABLE_ROLES.head} className={classes.trigger}>
            Starts on
          </th>
          <th {...TABLE_ROLES.head} className={classes.last}>
            Last execution
          </th>
          <th {...TABLE_ROLES.head} className={classes.run}>
            <span className="vh">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody
        {...TABLE_ROLES.group}
        className={classes.body}
        data-walked={reachable === currentId || undefined}
      >
        {flows.map((flow) => (
          <FlowRow
            key={flow.id}
            flow={flow}
            current={flow.id === reachable}
            onFocus={() => onFocus(flow.id)}
            onRun={() => onRun(flow)}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { flow: Flow; current: boolean; onFocus: () => void; onRun: () => void };

function FlowRow({ flow, current, onFocus, onRun }: RowProps) {
  const navigate = useNavigate();
  const { id, name, description, icon, is_enabled, problem, last_execution: last } = flow;
  const address = `/console/flows/${id}`;
  return (
    <ListRow
      id={flowRowId(id)}
      className={classes.row}
      current={current}
      onOpen={() => void navigate(address)}
      onFocus={onFocus}
    >
      <td {...TABLE_ROLES.cell} className={classes.name}>
        <span className={classes.icon}>
          <FlowIcon icon={icon} />
        </span>
        <span className={classes.about}>
          <Link className={`${classes.title} trunc`} to={address} title={name} dir="auto" tabIndex={-1}>
            {name}
          </Link>
          {problem === null ? (
            <span className={`${classes.description} trunc`} title={description ?? ''} dir="auto">
              {description}
            </span>
          ) : (
            <span className={classes.problem}>{problem}</span>
          )}
        </span>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.trigger}>
        {eventText(flow.trigger_event_type)}
        {is_enabled ? null : <Badge small>Off</Badge>}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.last}>
        {last === null ? (
          <span className={classes.never}>Not yet</span>
        ) : (
          <Link className={classes.execution} to={executionAddress(last.id)}>
            <ExecutionStatusBadge status={last.status} small />
            {last.start_time === null ? null : <RelativeTime at={last.start_time} />}
          </Link>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.run}>
        <Tooltip label="Run now">
          <ActionIcon aria-label={`Run ${name} now`} onClick={onRun}>
            <IconPlayerPlay size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </td>
    </ListRow>
  );
}
