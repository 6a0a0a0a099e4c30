import { type Change, isExternalCall } from '@winnow/contract/change';
import { toneTokens } from '../../theme/tones.ts';
import { FOCUSABLE } from '../../ui/keyboard/focusable.ts';
import { EditedTexts } from '../decisions/edited-texts.tsx';
import { StepLine } from '../decisions/step-line.tsx';
import { STEP_LOOKS } from '../decisions/step-outcomes.tsx';
import { stateMove } from '../decisions/step-text.ts';
import steps from '../decisions/steps.module.css';
import { foldLines } from '../issues/text/fold.ts';
import { layoutText } from '../issues/text/lines.ts';
import { TextLines } from '../issues/text/text-lines.tsx';
import classes from './step-item.module.css';

type Step = Change['steps'][number];

/** Comment that a step posts or deletes, formatted like in the tracker. */
function Comment({ before, after }: Pick<Step, 'before' | 'after'>) {
  const comment = after.comment ?? before.comment;
  if (comment === undefined) return null;
  return (
    <div className={classes.comment}>
      <p className={classes.commentHead}>{after.comment === undefined ? 'Deleted comment' : 'Comment'}</p>
      <TextLines rows={foldLines(layoutText(comment, [])).rows} />
    </div>
  );
}

/**
 * Explains why an external tool call cannot be retried or undone. Null for an approved call that
 * has not started.
 */
function callHint(status: Step['status'], proposed: boolean): string | null {
  if (status === 'failed')
    return 'Winnow does not retry a failed call. To call the tool again, run the flow again.';
  if (status === 'pending' && !proposed) return null;
  return 'This cannot be undone: only the tool’s server knows what it does.';
}

/** Raw arguments and response of an external tool call. */
function Call({ step, proposed }: Pick<StepItemProps, 'step'> & { proposed: boolean }) {
  if (!isExternalCall(step)) return null;
  const hint = callHint(step.status, proposed);
  return (
    <div className={classes.call}>
      <Block label="Arguments" text={step.after.arguments ?? ''} />
      {step.answer === undefined ? null : <Block label="Answer" text={step.answer} />}
      {hint === null ? null : <p className={classes.hint}>{hint}</p>}
    </div>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className={classes.commentHead}>{label}</p>
      <pre className={classes.code} {...FOCUSABLE}>
        {text}
      </pre>
    </div>
  );
}

/**
 * Icon and label for the status of a step. Renders nothing if the change is proposed or rejected.
 */
export function StepStatus({
  status,
  changeStatus,
}: Pick<Step, 'status'> & Pick<StepItemProps, 'changeStatus'>) {
  if (changeStatus === 'proposed' || changeStatus === 'rejected') return null;
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
  /** Number of the step, starting at 1. */
  number: number;
  changeStatus: Change['status'];
};

/**
 * One step of a change, with its action, status and error. Shows each edited text before and after
 * the step.
 */
export function StepItem({ step, number, changeStatus }: StepItemProps) {
  const move = stateMove(step);
  return (
    <li className={steps.step}>
      <span className={steps.number} aria-hidden="true">
        {number}
      </span>
      <div className={steps.head}>
        <StepLine step={step} />
        {move === null ? null : (
          <span className={classes.move}>
            {move.from} <span aria-hidden="true">→</span>
            <span className="vh">becomes</span> {move.to}
          </span>
        )}
        <StepStatus status={step.status} changeStatus={changeStatus} />
      </div>
      {step.error === null ? null : <p className={classes.reason}>{step.error}</p>}
      <EditedTexts before={step.before} after={step.after} />
      <Comment before={step.before} after={step.after} />
      <Call step={step} proposed={changeStatus === 'proposed'} />
    </li>
  );
}
