import type { ReactNode } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import classes from './access-form.module.css';
import type { Failure } from './failure.ts';
import { type AccessFormState, isLimit } from './use-access-form.ts';
import { waitText } from './wait-text.ts';

export interface AccessFormProps {
  form: AccessFormState;
  /** What its button says. */
  action: string;
  /** What to say about what `send` threw; too many attempts are said here. */
  failureOf: (error: unknown) => Failure;
  /** The fields. */
  children: ReactNode;
}

/** Fields with the button that sends them, and above the button, where one looks then, why they were not accepted. */
export function AccessForm({ form, action, failureOf, children }: AccessFormProps) {
  const mustWait = form.secondsToWait > 0;
  return (
    <form {...form.form} className={classes.form}>
      {children}
      {mustWait ? (
        <Alert tone="danger" title="Too many attempts">
          {/* Read out when it appears, not with every second. */}
          <span role="timer" aria-live="off">
            Wait {waitText(form.secondsToWait)}, then try again.
          </span>
        </Alert>
      ) : (
        <FailureAlert form={form} failureOf={failureOf} />
      )}
      <Button
        type="submit"
        kind="primary"
        size="lg"
        wide
        isBusy={form.isSending}
        disabled={mustWait || !form.isReady}
      >
        {action}
      </Button>
    </form>
  );
}

function FailureAlert({ form, failureOf }: Pick<AccessFormProps, 'form' | 'failureOf'>) {
  if (form.failure === undefined || isLimit(form.failure)) return null;
  const { title, detail } = failureOf(form.failure);
  return (
    <Alert tone="danger" title={title} onClose={form.dismiss}>
      {detail}
    </Alert>
  );
}
