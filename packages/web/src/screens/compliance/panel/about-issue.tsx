import type { Issue } from '@winnow/contract/issue';
import { IssueHistory } from '../../../features/changes/issue-history.tsx';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { IssueMeta } from '../../../features/issues/issue-meta.tsx';
import type { Passage } from '../../../features/issues/text/marks.ts';
import { splitMarked } from '../../../features/issues/text/marks.ts';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import classes from './panel.module.css';

/** Maximum number of labels displayed. Further labels are counted. */
const MAX_LABELS_SHOWN = 8;

/** Facts about an issue: key, status, type, labels, title, author and dates. */
export function AboutIssue({ issue, passages }: { issue: Issue; passages: readonly Passage[] }) {
  const more = issue.labels.length - MAX_LABELS_SHOWN;
  return (
    <section className={classes.section} aria-label="Issue">
      <div className={classes.facts}>
        <StatusIcon status={issue.status} />
        <IssueKey href={issue.url} withOwner>
          {issue.key}
        </IssueKey>
        <TrackerMark projectId={issue.project_id} />
        <Badge small>{issue.status}</Badge>
        <Badge small>{issue.issue_type}</Badge>
        {issue.labels
          .filter((label) => label.toLowerCase() !== issue.issue_type.toLowerCase())
          .slice(0, MAX_LABELS_SHOWN)
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

/** Title of an issue, with the evidence of its score marked. */
function MarkedTitle({ title, passages }: { title: string; passages: readonly Passage[] }) {
  return (
    <h3 className={classes.title} dir="auto">
      {splitMarked(title, passages).map(({ start, end, passage }) =>
        passage === null ? (
          <span key={start}>{title.slice(start, end)}</span>
        ) : (
          <mark className={classes.mark} key={start}>
            {title.slice(start, end)}
          </mark>
        ),
      )}
    </h3>
  );
}
