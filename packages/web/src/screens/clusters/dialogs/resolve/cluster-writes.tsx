import { useState } from 'react';
import { WriteList, type WriteListProps } from '../../../../features/decisions/write-list.tsx';
import { countText } from '../../../../ui/texts/count-text.ts';
import own from './resolve.module.css';

/** Issues whose writes are displayed at once. */
const MAX_OPEN_ISSUES = 5;

export type ClusterWritesProps = WriteListProps & { canonicalId: string };

/** Writes to the canonical issue, then those to the closed issues, collapsed if there are many. */
export function ClusterWrites({ preview, canonicalId, ...props }: ClusterWritesProps) {
  const toCanonical = preview.steps.filter((step) => step.target_id === canonicalId);
  const toOthers = preview.steps.filter((step) => step.target_id !== canonicalId);
  const closed = new Set(toOthers.map((step) => step.target_id)).size;
  const [toggled, setToggled] = useState<boolean | null>(null);
  const open = toggled ?? closed <= MAX_OPEN_ISSUES;
  return (
    <div className={own.writes}>
      <WriteList preview={{ ...preview, steps: toCanonical }} {...props} />
      <details open={open} onToggle={(event) => setToggled(event.currentTarget.open)}>
        <summary className={own.summary}>{`Writes to the issues to close (${countText(closed)})`}</summary>
        {open ? <WriteList preview={{ ...preview, rationale: null, steps: toOthers }} {...props} /> : null}
      </details>
    </div>
  );
}
