import type { Issue } from '@winnow/contract/issue';
import { TABLE_ROLES } from '../../../ui/table-roles.ts';
import type { ShownScore } from '../shown-score.ts';
import { IssueRow, type RowActions } from './issue-row.tsx';
import classes from './issue-table.module.css';

export type IssueTableProps = RowActions & {
  issues: readonly Issue[];
  scoreOf: (issueId: string) => ShownScore;
  /** What the scores are called. */
  metric: string;
  selectedId: string | null;
  /** The row that the keyboard is on; null before it was used, then Tab reaches the first row. */
  currentId: string | null;
  /** An older page, shown while the next one loads. */
  stale: boolean;
};

/** Issues with their scores. In a narrow table an issue is two lines, on a phone three: the same cells, placed anew. */
export function IssueTable({
  issues,
  scoreOf,
  metric,
  selectedId,
  currentId,
  stale,
  ...actions
}: IssueTableProps) {
  const reachable = issues.some(({ id }) => id === currentId) ? currentId : (issues[0]?.id ?? null);
  return (
    <table {...TABLE_ROLES.table} className={classes.table} aria-label="Issues" aria-busy={stale}>
      <thead {...TABLE_ROLES.group} className={classes.head}>
        <tr {...TABLE_ROLES.row} className={classes.headRow}>
          <th {...TABLE_ROLES.head} className={classes.key}>
            ID
          </th>
          <th {...TABLE_ROLES.head} className={classes.name}>
            Title
          </th>
          <th {...TABLE_ROLES.head} className={classes.project}>
            Project
          </th>
          <th {...TABLE_ROLES.head} className={classes.status}>
            Status
          </th>
          <th {...TABLE_ROLES.head} className={`${classes.score} trunc`} title={metric}>
            {metric}
          </th>
          <th {...TABLE_ROLES.head} className={classes.actions}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody {...TABLE_ROLES.group} className={classes.body} data-stale={stale || undefined}>
        {issues.map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            score={scoreOf(issue.id)}
            selected={issue.id === selectedId}
            current={issue.id === reachable}
            replace={selectedId !== null}
            {...actions}
          />
        ))}
      </tbody>
    </table>
  );
}
