import { Alert } from '@mantine/core';
import { type Change, isExternalCall } from '@winnow/contract/change';
import { reasonOf } from '../decisions/recent-decisions.ts';
import { StepLine } from '../decisions/step-line.tsx';
import classes from './change-panel.module.css';
import { writtenStepsText } from './change-texts.ts';

/** Explains why a change stopped, and lists the steps that were not written. */
export function StoppedNotice({ change }: { change: Change }) {
  const { status, steps } = change;
  if (status !== 'partly_applied' && status !== 'failed') return null;
  const left = steps.filter(
    (step) => step.status !== 'applied' && step.status !== 'undone' && !isExternalCall(step),
  );
  return (
    <div className={classes.notice}>
      <Alert color={status === 'failed' ? 'danger' : 'warning'} title={writtenStepsText(change)} role="note">
        <p>{reasonOf(change)}</p>
        {left.length === 0 ? null : (
          <>
            <p className={classes.left}>Not written yet:</p>
            <ul className={classes.leftSteps}>
              {left.map((step) => (
                <li key={step.id}>
                  <StepLine step={step} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Alert>
    </div>
  );
}
