import type { IssueSummary } from '@winnow/contract/issue';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { IssueMeta } from '../../../features/issues/issue-meta.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import classes from './resolve-dialog.module.css';

/** Key, title, author and age of an issue. */
export function IssueBrief({ issue }: { issue: IssueSummary }) {
  return (
    <div className={classes.brief}>
      <span className={classes.briefKey}>
        <StatusIcon status={issue.status} />
        <IssueKey withOwner>{issue.key}</IssueKey>
        <TrackerMark projectId={issue.project_id} />
      </span>
      <span className={classes.briefTitle} dir="auto">
        {issue.title}
      </span>
      <span className={classes.briefMeta}>
        <IssueMeta issue={issue} />
      </span>
    </div>
  );
}
