import type { Change } from '@winnow/contract/change';
import { toneTokens } from '../../../app/theme/tones.ts';
import { foldLines } from '../../issues/text/fold.ts';
import { layoutText } from '../../issues/text/lines.ts';
import { TextLines } from '../../issues/text/text-lines.tsx';
import { EditedTexts } from '../../similarity/decide/edited-texts.tsx';
import { StepLine } from '../../similarity/decide/step-line.tsx';
import { STEP_LOOKS } from '../../similarity/decide/step-outcomes.tsx';
import { stateMove } from '../../similarity/decide/step-text.ts';
import classes from './steps.module.css';

type Step = Change['steps'][number];

/** A comment that a step posts or takes away, as the tracker shows it. */
function Comment({ before, after }: Pick<Step, 'before' | 'after'>) {
  const comment = after.comment ?? before.comment;
  if (comment === undefined) return null;
  return (
    <div className={classes.comment}>
      <p className={classes.commentHead}>
        {after.comment === undefined ? 'Comment that is taken away' : 'Comment'}
      </p>
      <TextLines rows={foldLines(layoutText(comment, [])).rows} />
    </div>
  );
}

function Status({ status }: Pick<Step, 'status'>) {
  const { label, tone, icon: Glyph } = STEP_LOOKS[status];
  return (
    <span className={classes.status}>
      <Glyph size={14} stroke={1.75} style={{ color: toneTokens(tone).text }} aria-hidden />
      {label}
    </span>
  );
}

export type StepItemProps = {
  step: Step;
  /** From 1. */
  number: number;
  /** Nothing has become of any step yet. */
  proposed: boolean;
};

/** One step of a change: what it does, what became of it and why, each text before and after. */
export function StepItem({ step, number, proposed }: StepItemProps) {
  const move = stateMove(step);
  return (
    <li className={classes.step}>
      <span className={classes.number} aria-hidden="true">
        {number}
      </span>
      <div className={classes.head}>
        <StepLine step={step} />
        {move === null ? null : (
          <span className={classes.move}>
            {move.from} <span aria-hidden="true">→</span>
            <span className="vh">becomes</span> {move.to}
          </span>
        )}
        {proposed ? null : <Status status={step.status} />}
      </div>
      {step.error === null ? null : <p className={classes.reason}>{step.error}</p>}
      <EditedTexts before={step.before} after={step.after} />
      <Comment before={step.before} after={step.after} />
    </li>
  );
}
