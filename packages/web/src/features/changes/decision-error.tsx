import { type Change, isExternalCall } from '@winnow/contract/change';
import { Link } from 'react-router';
import { ApiError } from '../../api/session/api-error.ts';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { pairsOfIssue } from '../pairs/pairs-of-issue.ts';
import classes from './change-panel.module.css';

/**
 * Shows why an approval or rejection failed. If an issue has changed since the proposal, suggests
 * to reject the proposal and decide again.
 */
export function DecisionError({ change, error }: { change: Change; error: unknown }) {
  if (error === null) return null;
  const moved = error instanceof ApiError && error.code === 'changed_since';
  const [first] = change.issue_keys;
  return (
    <div className={classes.notice}>
      <ErrorState
        error={error}
        title={change.steps.some(isExternalCall) ? 'The tool was not called' : 'Nothing was written'}
      />
      {moved ? (
        <p className={classes.moved}>
          The proposal is based on an older version of the issue. Reject it and{' '}
          {first === undefined ? (
            'decide again'
          ) : (
            <Link className="link" to={pairsOfIssue(first)}>
              decide again
            </Link>
          )}
          .
        </p>
      ) : null}
    </div>
  );
}
