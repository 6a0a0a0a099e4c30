import type { Issue } from '@winnow/contract/issue';
import { Badge } from '../../../ui/badge.tsx';
import { IssueKey } from '../../../ui/issue-key.tsx';
import { StatusIcon } from '../../../ui/status.tsx';
import { IssueHistory } from '../../changes/issue-history.tsx';
import { IssueMeta } from '../../issues/issue-meta.tsx';
import type { Passage } from '../../issues/text/marks.ts';
import { MarkedTitle } from './marked-title.tsx';
import classes from './panel.module.css';

/** Labels shown before the rest is counted. */
const LABELS_SHOWN = 8;

/** What an issue is: key, status, type, labels, title, who and when. */
export function AboutIssue({ issue, passages }: { issue: Issue; passages: readonly Passage[] }) {
  const more = issue.labels.length - LABELS_SHOWN;
  return (
    <section className={classes.section} aria-label="Issue">
      <div className={classes.facts}>
        <StatusIcon status={issue.status} />
        <IssueKey href={issue.url} withOwner>
          {issue.key}
        </IssueKey>
        <Badge small>{issue.status}</Badge>
        <Badge small>{issue.issue_type}</Badge>
        {issue.labels
          .filter((label) => label.toLowerCase() !== issue.issue_type.toLowerCase())
          .slice(0, LABELS_SHOWN)
          .map((label) => (
            <span className={classes.label} key={label}>
              {label}
            </span>
          ))}
        {more > 0 ? <span className={classes.label}>+{more}</span> : null}
      </div>
      <MarkedTitle title={issue.title} passages={passages} />
      <p className={classes.meta}>
        <IssueMeta issue={issue} />
        <IssueHistory issue={issue} />
      </p>
    </section>
  );
}
