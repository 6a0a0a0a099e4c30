import { splitIssueKey } from './issue-key-parts.ts';
import classes from './row-key.module.css';

/**
 * An issue key that shrinks with its table column, by CSS only. The owner disappears first, then
 * the project is shortened. The number is always visible.
 */
export function RowKey({ children: key }: { children: string }) {
  const { owner, project, number } = splitIssueKey(key);
  return (
    <span className={classes.key} title={key}>
      {owner === '' ? null : <span className={classes.owner}>{owner}</span>}
      <span className={classes.project}>{project}</span>
      <span className={classes.number}>{number}</span>
    </span>
  );
}
