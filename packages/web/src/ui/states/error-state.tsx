import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ApiError, sentenceOf } from '../../api/session/api-error.ts';
import classes from './states.module.css';

export type ErrorStateProps = {
  error: unknown;
  /** What could not be done, such as 'Failed to fetch trackers'. Shown above the error's own sentence. */
  title?: string | undefined;
  /** Tries again. Without it there is no button. */
  onRetry?: () => void;
  retrying?: boolean;
};

/** What went wrong in a sentence, Retry, and the request id for whoever runs the server; for what the plan refuses, the plans. */
export function ErrorState({ error, title, onRetry, retrying = false }: ErrorStateProps) {
  const isOfPlan = error instanceof ApiError && error.code === 'plan_limit';
  const requestId = error instanceof ApiError && !isOfPlan ? error.requestId : null;
  return (
    <div className={classes.error} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div className={classes.body}>
        {title === undefined ? null : <p className={classes.heading}>{title}</p>}
        <p className={classes.sentence}>
          {sentenceOf(error)}
          {isOfPlan ? (
            <>
              {' '}
              <Link className="link" to="/console/pricing">
                See the plans
              </Link>
            </>
          ) : null}
        </p>
        {requestId === null ? null : (
          <p className={classes.request}>
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry === undefined ? null : (
        <Button size="xs" onClick={onRetry} loading={retrying}>
          Retry
        </Button>
      )}
    </div>
  );
}
