import { ApiError } from '../../../app/session/api-error.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import classes from './resolve-dialog.module.css';

/** Why nothing was written. When an issue had moved, also that what is shown now is new. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null) return null;
  const moved = error instanceof ApiError && error.code === 'changed_since';
  return (
    <div className={classes.refusal}>
      <ErrorState error={error} title="Nothing was written" />
      {moved ? (
        <p className={classes.reloaded} role="status">
          Both issues and the writes were read again. What you see is how they are now.
        </p>
      ) : null}
    </div>
  );
}
