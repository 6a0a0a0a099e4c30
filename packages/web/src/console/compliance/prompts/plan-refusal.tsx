import { Alert } from '@mantine/core';
import { Link } from 'react-router';
import { ApiError } from '../../../app/session/api-error.ts';
import { ErrorState } from '../../../ui/error-state.tsx';

function SeePlans({ children, role }: { children: string; role: 'alert' | 'note' }) {
  return (
    <Alert color="info" role={role}>
      {children}{' '}
      <Link className="link" to="/console/pricing">
        See the plans
      </Link>
    </Alert>
  );
}

/** Why something could not be done with a prompt; where the plan has no prompts of one's own, also the way to those that do. */
export function PlanRefusal({ error }: { error: unknown }) {
  if (error === null) return null;
  if (!(error instanceof ApiError) || error.code !== 'plan_feature') return <ErrorState error={error} />;
  return <SeePlans role="alert">{error.detail}</SeePlans>;
}

/** The same before anybody has written one. */
export function PlanWithoutPrompts() {
  return <SeePlans role="note">Prompts of your own are not part of your plan.</SeePlans>;
}
