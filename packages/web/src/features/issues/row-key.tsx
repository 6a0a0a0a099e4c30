import { splitIssueKey } from './issue-key-parts.ts';
import classes from './row-key.module.css';

/**
 * A key whose parts yield to the width of the table, which only CSS knows: the owner goes first, then the project is
 * shortened, the number never.
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
