import type { Issue } from '@winnow/contract/issue';
import { type ReactNode, useMemo, useState } from 'react';
import { IssueHistory } from '../../../features/changes/issue-history.tsx';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { IssueMeta } from '../../../features/issues/issue-meta.tsx';
import { foldLines } from '../../../features/issues/text/fold.ts';
import { FoldButton } from '../../../features/issues/text/fold-button.tsx';
import { layoutText } from '../../../features/issues/text/lines.ts';
import { TextLines } from '../../../features/issues/text/text-lines.tsx';
import { TrackerLink } from '../../../features/issues/tracker-link.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import classes from './panel.module.css';

function Head({ issue }: { issue: Issue }) {
  return (
    <section className={classes.section} aria-label="Issue">
      <div className={classes.issueHead}>
        <StatusIcon status={issue.status} />
        <IssueKey withOwner longestProject={32}>
          {issue.key}
        </IssueKey>
        <TrackerMark projectId={issue.project_id} />
        <span className={classes.status} aria-hidden="true">
          {issue.status}
        </span>
        <TrackerLink issue={issue} />
      </div>
      <h3 className={classes.issueTitle} dir="auto">
        {issue.title}
      </h3>
      <p className={classes.meta}>
        <IssueMeta issue={issue} />
        <IssueHistory issue={issue} />
      </p>
    </section>
  );
}

/**
 * Title and description of an issue, with `children` in between. A long description is folded until
 * the user expands it.
 */
export function IssueText({ issue, children }: { issue: Issue; children: ReactNode }) {
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => layoutText(issue.description, []), [issue.description]);
  const folded = useMemo(() => foldLines(lines), [lines]);
  return (
    <>
      <Head issue={issue} />
      {children}
      <section className={classes.section} aria-label="Description">
        <h3 className={classes.heading}>Description</h3>
        {lines.length === 0 ? (
          <p className={classes.none}>No description.</p>
        ) : (
          <TextLines rows={whole ? lines.map((line) => ({ kind: 'line', line })) : folded.rows} />
        )}
        {folded.folded ? (
          <FoldButton className={classes.fold} whole={whole} onToggle={() => setWhole(!whole)} />
        ) : null}
      </section>
    </>
  );
}
