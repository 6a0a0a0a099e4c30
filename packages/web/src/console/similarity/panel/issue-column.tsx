import { ActionIcon, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { Issue } from '@winnow/contract/issue';
import { Badge } from '../../../ui/badge.tsx';
import { IssueKey } from '../../../ui/issue-key.tsx';
import { safeHref } from '../../../ui/safe-href.ts';
import { StatusIcon } from '../../../ui/status.tsx';
import { IssueHistory } from '../../changes/issue-history.tsx';
import { IssueMeta } from '../../issues/issue-meta.tsx';
import type { Folded } from '../../issues/text/fold.ts';
import { TextLines } from '../../issues/text/text-lines.tsx';
import classes from './panel.module.css';

export type IssueColumnProps = {
  issue: Issue;
  older: boolean;
  text: Folded['rows'];
};

/** One issue of the pair: key, title, who and when, and its text with the shared passages marked. */
export function IssueColumn({ issue, older, text }: IssueColumnProps) {
  const address = safeHref(issue.url);
  return (
    <article className={classes.issue}>
      <div className={classes.issueHead}>
        <StatusIcon status={issue.status} />
        {address === null ? (
          <IssueKey>{issue.key}</IssueKey>
        ) : (
          <IssueKey href={address}>{issue.key}</IssueKey>
        )}
        {older ? <Badge small>Older</Badge> : null}
        {address === null ? null : (
          <Tooltip label="Open in the tracker">
            <ActionIcon
              component="a"
              href={address}
              target="_blank"
              rel="noreferrer"
              size={24}
              ml="auto"
              aria-label={`Open ${issue.key} in the tracker`}
            >
              <IconExternalLink size={14} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <h3 className={classes.issueTitle} dir="auto">
        {issue.title}
      </h3>
      <p className={classes.meta}>
        <IssueMeta issue={issue} />
        <IssueHistory issue={issue} />
      </p>
      {text.length === 0 ? <p className={classes.noText}>No description.</p> : <TextLines rows={text} />}
    </article>
  );
}
