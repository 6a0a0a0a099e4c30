import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ApiError, sentenceOf } from '../../api/session/api-error.ts';
import classes from './states.module.css';

export type ErrorStateProps = {
  error: unknown;
  /**
   * Title above the error message. It names the failed action, such as 'Failed to fetch trackers'.
   */
  title?: string | undefined;
  /** Retries the failed action. Without it, there is no Retry button. */
  onRetry?: () => void;
  retrying?: boolean;
};

/**
 * Shows an error with a Retry button, and the request id for the operator. If a plan limit was
 * exceeded, shows a link to the plans instead of the id.
 */
export function ErrorState({ error, title, onRetry, retrying = false }: ErrorStateProps) {
  const isPlanLimit = error instanceof ApiError && error.code === 'plan_limit';
  const requestId = error instanceof ApiError && !isPlanLimit ? error.requestId : null;
  return (
    <div className={classes.error} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div className={classes.body}>
        {title === undefined ? null : <p className={classes.heading}>{title}</p>}
        <p className={classes.sentence}>
          {sentenceOf(error)}
          {isPlanLimit ? (
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
            Reference <code>{requestId}</code> (quote this when reporting)
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
