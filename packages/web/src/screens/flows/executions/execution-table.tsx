import { Button } from '@mantine/core';
import type { FlowExecution } from '@winnow/contract/flow';
import { Link } from 'react-router';
import { Badge } from '../../../theme/parts/badge.tsx';
import { ListRow } from '../../../ui/data-list/list-row.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { countText } from '../../../ui/texts/count-text.ts';
import { durationText } from '../../../ui/texts/relative-time-text.ts';
import { ExecutionStatusBadge } from '../execution-status.tsx';
import { actionsText, eventText, shortId } from '../flow-texts.ts';
import { ExactTime } from './exact-time.tsx';
import classes from './execution-table.module.css';
import { executionAddress } from './search-params.ts';

/** The id of a row's element, by which the keyboard finds it. */
export function executionRowId(executionId: string): string {
  return `execution-${executionId}`;
}

const HEADS = [
  ['id', 'Execution ID'],
  ['flow', 'Flow ID'],
  ['status', 'Status'],
  ['start', 'Start Time'],
  ['end', 'End Time'],
  ['actions', 'Actions'],
] as const;

export type ExecutionTableProps = {
  executions: readonly FlowExecution[];
  /** The row that the keyboard is on; null before it was used. */
  currentId: string | null;
  /** An older page, shown while the next one loads. */
  stale: boolean;
  onOpen: (executionId: string) => void;
  onFocus: (executionId: string) => void;
};

/** Executions, newest first. */
export function ExecutionTable({ executions, currentId, stale, ...handlers }: ExecutionTableProps) {
  const reachable = executions.some(({ id }) => id === currentId) ? currentId : (executions[0]?.id ?? null);
  return (
    <table {...TABLE_ROLES.table} className={classes.table} aria-label="Flow executions" aria-busy={stale}>
      <thead {...TABLE_ROLES.group} className={classes.head}>
        <tr {...TABLE_ROLES.row} className={classes.headRow}>
          {HEADS.map(([name, label]) => (
            <th {...TABLE_ROLES.head} className={classes[name]} key={name}>
              {label}
            </th>
          ))}
          <th {...TABLE_ROLES.head} className={classes.view}>
            <span className="vh">Details</span>
          </th>
        </tr>
      </thead>
      <tbody
        {...TABLE_ROLES.group}
        className={classes.body}
        data-stale={stale || undefined}
        data-walked={reachable === currentId || undefined}
      >
        {executions.map((execution) => (
          <Row key={execution.id} execution={execution} current={execution.id === reachable} {...handlers} />
        ))}
      </tbody>
    </table>
  );
}

/** What it ran on, and what started it: `acme/web#12, Issue Opened`. */
function subjectText({ issue_key, project, type }: FlowExecution['trigger_event']): string {
  return [issue_key ?? project, eventText(type)].filter((part) => part !== null).join(', ');
}

type RowProps = Pick<ExecutionTableProps, 'onOpen' | 'onFocus'> & {
  execution: FlowExecution;
  current: boolean;
};

function Row({ execution, current, onOpen, onFocus }: RowProps) {
  const { id, flow_id, flow_name, status, start_time, end_time, dry_run, trigger_event } = execution;
  const actions = execution.actions_taken_summary.length;
  const subject = subjectText(trigger_event);
  return (
    <ListRow
      id={executionRowId(id)}
      className={classes.row}
      current={current}
      onOpen={() => onOpen(id)}
      onFocus={() => onFocus(id)}
    >
      <td {...TABLE_ROLES.cell} className={classes.id}>
        <code title={id}>{shortId(id)}</code>
        {dry_run ? <Badge small>Dry run</Badge> : null}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.flow}>
        <Link
          className="trunc"
          to={`/console/flows/${flow_id}`}
          title={`${flow_name}, ${flow_id}`}
          dir="auto"
        >
          {flow_name}
        </Link>
        <span className={`${classes.subject} trunc`} title={subject} dir="auto">
          {subject}
        </span>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.status}>
        <ExecutionStatusBadge status={status} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.start}>
        {start_time === null ? '-' : <ExactTime at={start_time} />}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.end}>
        {end_time === null ? (
          <span className={classes.wideWord}>-</span>
        ) : (
          <>
            <span className={classes.narrowWord}>Ended </span>
            <ExactTime at={end_time} />
            {start_time === null ? null : (
              <span className={classes.took}>
                {durationText(Date.parse(end_time) - Date.parse(start_time))}
              </span>
            )}
          </>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.actions}>
        <span className={classes.wideWord}>{countText(actions)}</span>
        <span className={classes.narrowWord}>{actionsText(actions)}</span>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.view}>
        <Button
          component={Link}
          to={executionAddress(id)}
          size="xs"
          aria-label={`View execution ${shortId(id)}`}
        >
          View
        </Button>
      </td>
    </ListRow>
  );
}
