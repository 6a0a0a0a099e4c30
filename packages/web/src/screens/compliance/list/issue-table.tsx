import type { Issue } from '@winnow/contract/issue';
import type { Highlight } from '@winnow/contract/search';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import type { ShownScore } from '../shown-score.ts';
import { IssueRow, type RowActions } from './issue-row.tsx';
import classes from './issue-table.module.css';

const NONE: readonly Highlight[] = [];

export type IssueTableProps = RowActions & {
  issues: readonly Issue[];
  /** Where they have what was searched for, by their ids. */
  found: Partial<Record<string, readonly Highlight[]>>;
  scoreOf: (issueId: string) => ShownScore;
  /** What the scores are called. */
  metric: string;
  /** What 100% means; null where more is simply better. */
  meaning: string | null;
  /** The same in a few words, displayed under the metric's name. */
  shortMeaning: string | null;
  selectedId: string | null;
  /** The row that the keyboard is on; null before it was used, then Tab reaches the first row. */
  currentId: string | null;
  /** An older page, shown while the next one loads. */
  stale: boolean;
};

/** Issues with their scores. In a narrow table an issue is two lines, on a phone three: the same cells, placed anew. */
export function IssueTable({
  issues,
  found,
  scoreOf,
  metric,
  meaning,
  shortMeaning,
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
          <th
            {...TABLE_ROLES.head}
            className={`${classes.score} trunc`}
            title={meaning === null ? metric : `${metric}: ${meaning}`}
          >
            {metric}
            {shortMeaning === null ? null : <span className={classes.meaning}>{shortMeaning}</span>}
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
            highlights={found[issue.id] ?? NONE}
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
