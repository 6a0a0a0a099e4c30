import { ApiError } from '../../../app/session/api-error.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import classes from './resolve-dialog.module.css';

/** Why nothing was written. When an issue had moved, also that what is shown now is new. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null) return null;
  const code = error instanceof ApiError ? error.code : null;
  const moved = code === 'changed_since';
  // Somebody else's decision is being written.
  const title = code === 'being_resolved' ? {} : { title: 'Nothing was written' };
  return (
    <div className={classes.refusal}>
      <ErrorState error={error} {...title} />
      {moved ? (
        <p className={classes.reloaded} role="status">
          Both issues and the writes were read again. What you see is how they are now.
        </p>
      ) : null}
    </div>
  );
}
