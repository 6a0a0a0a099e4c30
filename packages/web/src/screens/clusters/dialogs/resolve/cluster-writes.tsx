import { useState } from 'react';
import { writesText, writesToTracker } from '../../../../features/decisions/step-text.ts';
import { WriteList, type WriteListProps } from '../../../../features/decisions/write-list.tsx';
import { countText } from '../../../../ui/texts/count-text.ts';
import own from './resolve.module.css';

/** Maximum number of closed issues whose writes are displayed without expanding. */
const MAX_OPEN_ISSUES = 5;

export type ClusterWritesProps = WriteListProps & { canonicalId: string };

/**
 * Number of writes, followed by all writes in execution order. If many issues are closed, the
 * writes to them are collapsed.
 */
export function ClusterWrites({ preview, canonicalId, ...props }: ClusterWritesProps) {
  const { steps } = preview;
  const isClosing = (step: (typeof steps)[number]) => step.target_id !== canonicalId;
  const edits = steps.slice(0, Math.max(0, steps.findIndex(isClosing)));
  const toOthers = steps.filter(isClosing);
  const last = steps.slice(edits.length + toOthers.length);
  const closed = new Set(toOthers.map((step) => step.target_id)).size;
  const [toggled, setToggled] = useState<boolean | null>(null);
  const open = toggled ?? closed <= MAX_OPEN_ISSUES;
  const part = (of: typeof steps) => ({ ...preview, rationale: null, steps: of });
  const writes = steps.filter(({ action }) => writesToTracker(action));
  return (
    <div className={own.writes}>
      <div>
        <p className={own.total}>{`${writesText(writes.length, props.trackers)} in all`}</p>
        {preview.rationale === null ? null : <p className={own.rationale}>{preview.rationale}</p>}
      </div>
      {edits.length === 0 ? null : <WriteList preview={part(edits)} {...props} />}
      <details open={open} onToggle={(event) => setToggled(event.currentTarget.open)}>
        <summary className={own.summary}>{`Writes to the issues to close (${countText(closed)})`}</summary>
        {open ? <WriteList preview={part(toOthers)} first={edits.length + 1} {...props} /> : null}
      </details>
      <WriteList preview={part(last)} first={steps.length - last.length + 1} {...props} />
    </div>
  );
}
