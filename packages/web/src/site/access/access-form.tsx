import type { ReactNode } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import classes from './access-form.module.css';
import type { Failure } from './failure.ts';
import { type AccessFormState, isRateLimited } from './use-access-form.ts';
import { waitText } from './wait-text.ts';

export interface AccessFormProps {
  form: AccessFormState;
  /** Label of the submit button. */
  action: string;
  /**
   * Describes an error thrown by `send`. The form itself handles the error 429 (too many attempts).
   */
  failureOf: (error: unknown) => Failure;
  children: ReactNode;
}

/**
 * A form with its submit button. Errors appear above the button, where users look after submitting.
 */
export function AccessForm({ form, action, failureOf, children }: AccessFormProps) {
  const mustWait = form.secondsToWait > 0;
  return (
    <form {...form.form} className={classes.form}>
      {children}
      {mustWait ? (
        <Alert tone="danger" title="Too many attempts">
          {/* `aria-live="off"` stops screen readers from announcing every second. They announce
              the wait once. */}
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
  if (form.failure === undefined || isRateLimited(form.failure)) return null;
  const { title, detail } = failureOf(form.failure);
  return (
    <Alert tone="danger" title={title} onClose={form.dismiss}>
      {detail}
    </Alert>
  );
}
