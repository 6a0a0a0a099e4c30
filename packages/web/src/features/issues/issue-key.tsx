import { Tooltip } from '@mantine/core';
import { safeHref } from '../../api/safe-href.ts';
import classes from './issue-key.module.css';
import { shortenMiddle, shortIssueKey, splitIssueKey } from './issue-key-parts.ts';

export type IssueKeyProps = {
  /** Full key, such as `owner/repo#12` or `PROJ-12`. */
  children: string;
  /** Address of the issue in its tracker. The link opens in a new tab. */
  href?: string;
  /** True if the owner is displayed too. */
  withOwner?: boolean;
  /** Maximum characters of the project. A longer project is shortened. */
  longestProject?: number;
};

/**
 * An issue key in monospace. To fit, the owner is dropped and the project is shortened in the
 * middle.
 */
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
