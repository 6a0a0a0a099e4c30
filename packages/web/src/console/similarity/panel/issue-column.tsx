import type { Issue } from '@winnow/contract/issue';
import { Badge } from '../../../ui/badge.tsx';
import { IssueKey } from '../../../ui/issue-key.tsx';
import { safeHref } from '../../../ui/safe-href.ts';
import { StatusIcon } from '../../../ui/status.tsx';
import { IssueHistory } from '../../changes/issue-history.tsx';
import { IssueMeta } from '../../issues/issue-meta.tsx';
import type { Folded } from '../../issues/text/fold.ts';
import { TextLines } from '../../issues/text/text-lines.tsx';
import { TrackerLink } from '../../issues/tracker-link.tsx';
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
        <TrackerLink issue={issue} />
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
