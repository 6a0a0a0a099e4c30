import type { ReactNode } from 'react';
import { ApiError } from '../../api/session/api-error.ts';
import { ErrorState } from '../../ui/states/error-state.tsx';
import classes from './write-dialog.module.css';

/** Whether nothing was written because an issue is not as it was when it was looked at. */
export function hasMoved(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_since';
}

/** Why nothing was written. When an issue had moved, `moved` says what is shown now. */
export function Refusal({ error, moved }: { error: unknown; moved: ReactNode }) {
  if (error === null) return null;
  // Somebody else's decision is being written.
  const isBusy = error instanceof ApiError && error.code === 'being_resolved';
  return (
    <div className={classes.refusal}>
      <ErrorState error={error} {...(isBusy ? {} : { title: 'Nothing was written' })} />
      {hasMoved(error) ? (
        <div className={classes.reloaded} role="status">
          {moved}
        </div>
      ) : null}
    </div>
  );
}
