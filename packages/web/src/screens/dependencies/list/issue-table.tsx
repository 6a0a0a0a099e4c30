import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import type { ListedIssue } from '../dependency-state.ts';
import { IssueRow, type RowProps } from './issue-row.tsx';
import classes from './issue-table.module.css';

export type IssueTableProps = RowProps & {
  issues: readonly ListedIssue[];
  selectedId: string | null;
  /** Name of the table. */
  label?: string;
  /** The row that the keyboard is on; null before it was used, then Tab reaches the first row. */
  currentId: string | null;
  /** An older page, shown while the next one loads. */
  stale: boolean;
};

/** Issues with their dependencies. On a phone the cells stand under each other. */
export function IssueTable({
  issues,
  label = 'Issues',
  selectedId,
  currentId,
  stale,
  ...row
}: IssueTableProps) {
  const reachable = issues.some(({ id }) => id === currentId) ? currentId : (issues[0]?.id ?? null);
  return (
    <table {...TABLE_ROLES.table} className={classes.table} aria-label={label} aria-busy={stale}>
      <thead {...TABLE_ROLES.group} className={classes.head}>
        <tr {...TABLE_ROLES.row} className={classes.headRow}>
          <th {...TABLE_ROLES.head}>ID</th>
          <th {...TABLE_ROLES.head} className={classes.name}>
            Title
          </th>
          <th {...TABLE_ROLES.head} className={classes.status}>
            Status
          </th>
          <th {...TABLE_ROLES.head} className={classes.actions}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody
        {...TABLE_ROLES.group}
        className={classes.body}
        data-stale={stale || undefined}
        data-walked={reachable === currentId || undefined}
      >
        {issues.map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            selected={issue.id === selectedId}
            current={issue.id === reachable}
            replace={selectedId !== null}
            {...row}
          />
        ))}
      </tbody>
    </table>
  );
}
