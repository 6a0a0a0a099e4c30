import type { ReactNode } from 'react';
import { ApiError } from '../../api/session/api-error.ts';
import { ErrorState } from '../../ui/states/error-state.tsx';
import classes from './write-dialog.module.css';

/** True if the server refused to write because an issue has changed since it was displayed. */
export function hasIssueChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_since';
}

/**
 * Explains why nothing was written. If an issue has changed, also shows `moved`, which describes
 * the refreshed content.
 */
export function Refusal({ error, moved }: { error: unknown; moved: ReactNode }) {
  if (error === null) return null;
  // True if the decision of another member on the same issues is being written.
  const isBusy = error instanceof ApiError && error.code === 'being_resolved';
  return (
    <div className={classes.refusal}>
      <ErrorState error={error} {...(isBusy ? {} : { title: 'Nothing was written' })} />
      {hasIssueChanged(error) ? (
        <div className={classes.reloaded} role="status">
          {moved}
        </div>
      ) : null}
    </div>
  );
}
