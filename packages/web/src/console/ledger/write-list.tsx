import type { ChangePreview } from '@winnow/contract/change';
import { useId } from 'react';
import { foldLines } from '../issues/text/fold.ts';
import { layoutText } from '../issues/text/lines.ts';
import { TextLines } from '../issues/text/text-lines.tsx';
import { EditedTexts } from './edited-texts.tsx';
import { StepLine } from './step-line.tsx';
import { type StepLike, stateMove, writesText, writesToTracker } from './step-text.ts';
import steps from './steps.module.css';
import classes from './writes.module.css';

function Comment({ text, postedAs }: { text: string; postedAs: string | null }) {
  return (
    <div className={classes.comment}>
      {postedAs === null ? null : (
        <div className={classes.poster}>
          <span className={classes.avatar} aria-hidden="true">
            {postedAs.slice(0, 2).toUpperCase()}
          </span>
          Posted as {postedAs}
        </div>
      )}
      <div className={classes.commentText}>
        <TextLines rows={foldLines(layoutText(text, [])).rows} />
      </div>
    </div>
  );
}

function Move({ step }: { step: StepLike }) {
  const move = stateMove(step);
  if (move === null) return null;
  return (
    <span className={classes.move}>
      {move.from} <span aria-hidden="true">→</span>
      <span className="vh">becomes</span> {move.to}
    </span>
  );
}

export type WriteListProps = {
  preview: ChangePreview;
  /** The trackers written to, as a sentence names them. */
  trackers: readonly string[];
  /** As whom comments are posted; null when not known. */
  postedAs: string | null;
};

/** Every write of a change in the order it will run, with the comments as the tracker will show them. */
export function WriteList({ preview, trackers, postedAs }: WriteListProps) {
  const headingId = useId();
  const writes = preview.steps.filter((step) => writesToTracker(step.action));
  const numbered = preview.steps.map((step, index) => ({ step, number: index + 1 }));
  return (
    <section aria-labelledby={headingId}>
      <h3 className={classes.heading} id={headingId}>
        {writesText(writes.length, trackers)}
      </h3>
      {preview.rationale === null ? null : <p className={classes.rationale}>{preview.rationale}</p>}
      <ol className={steps.list}>
        {numbered.map(({ step, number }) => (
          <li className={steps.step} key={number}>
            <span className={steps.number} aria-hidden="true">
              {number}
            </span>
            <div className={steps.head}>
              <StepLine step={step} />
              <Move step={step} />
            </div>
            <EditedTexts before={step.before} after={step.after} />
            {step.after.comment === undefined ? null : (
              <Comment text={step.after.comment} postedAs={postedAs} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
