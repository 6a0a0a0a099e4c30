import { Tooltip } from '@mantine/core';
import { safeHref } from '../../api/safe-href.ts';
import classes from './issue-key.module.css';
import { shortenMiddle, shortIssueKey, splitIssueKey } from './issue-key-parts.ts';

export type IssueKeyProps = {
  /** The full key: `owner/repo#12`, `PROJ-12`. */
  children: string;
  /** The issue's page in its tracker; opens in a new tab. */
  href?: string;
  /** Keeps the owner, where there is room. */
  withOwner?: boolean;
  /** The longest project that is shown whole. */
  longestProject?: number;
};

/** An issue's key in mono. The owner goes first, then the project is shortened in the middle, the number stays. */
export function IssueKey({ children: key, href, withOwner = false, longestProject = 16 }: IssueKeyProps) {
  const { owner, project, number } = splitIssueKey(key);
  const shown = withOwner
    ? `${owner}${shortenMiddle(project, longestProject)}${number}`
    : shortIssueKey(key, longestProject);
  const address = href === undefined ? null : safeHref(href);
  const text =
    address === null ? (
      <span className={classes.key}>{shown}</span>
    ) : (
      <a
        className={classes.key}
        href={address}
        target="_blank"
        rel="noreferrer"
        {...(shown === key ? {} : { 'aria-label': key })}
      >
        {shown}
      </a>
    );
  return shown === key ? text : <Tooltip label={key}>{text}</Tooltip>;
}
