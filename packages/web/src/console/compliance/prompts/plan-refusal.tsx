import { Alert } from '@mantine/core';
import { Link } from 'react-router';
import { ApiError } from '../../../app/session/api-error.ts';
import { ErrorState } from '../../../ui/error-state.tsx';

/** Why something could not be done with a prompt; where the plan has no prompts of one's own, also the way to those that do. */
export function PlanRefusal({ error }: { error: unknown }) {
  if (error === null) return null;
  if (!(error instanceof ApiError) || error.code !== 'plan_feature') return <ErrorState error={error} />;
  return (
    <Alert color="info" role="alert">
      {error.detail}{' '}
      <Link className="link" to="/console/pricing">
        See the plans
      </Link>
    </Alert>
  );
}
