import { type Change, isOutside } from '@winnow/contract/change';
import { Link } from 'react-router';
import { ApiError } from '../../api/session/api-error.ts';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { pairsOfIssue } from '../pairs/pairs-of-issue.ts';
import classes from './change-panel.module.css';

/** Why nothing came of approving or rejecting; where an issue has moved since, what can be done instead. */
export function Refused({ change, error }: { change: Change; error: unknown }) {
  if (error === null) return null;
  const moved = error instanceof ApiError && error.code === 'changed_since';
  const [first] = change.issue_keys;
  return (
    <div className={classes.notice}>
      <ErrorState
        error={error}
        title={change.steps.some(isOutside) ? 'Nothing was called' : 'Nothing was written'}
      />
      {moved ? (
        <p className={classes.moved}>
          What was proposed was worked out on the text as it was. Reject the proposal, and{' '}
          {first === undefined ? (
            'decide anew'
          ) : (
            <Link className="link" to={pairsOfIssue(first)}>
              decide anew
            </Link>
          )}
          .
        </p>
      ) : null}
    </div>
  );
}
