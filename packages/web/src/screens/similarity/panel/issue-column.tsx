import type { Issue } from '@winnow/contract/issue';
import { safeHref } from '../../../api/safe-href.ts';
import { IssueHistory } from '../../../features/changes/issue-history.tsx';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { IssueMeta } from '../../../features/issues/issue-meta.tsx';
import type { Folded } from '../../../features/issues/text/fold.ts';
import { TextLines } from '../../../features/issues/text/text-lines.tsx';
import { TrackerLink } from '../../../features/issues/tracker-link.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import classes from './panel.module.css';

export type IssueColumnProps = {
  issue: Issue;
  older: boolean;
  text: Folded['rows'];
};

/**
 * One issue of a pair: its key, title, author and age, and its text with shared passages marked.
 */
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
        <TrackerMark projectId={issue.project_id} />
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
