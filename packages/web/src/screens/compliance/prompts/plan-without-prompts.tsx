import { Alert } from '@mantine/core';
import { Link } from 'react-router';

/** Note that the plan does not include custom prompts, displayed before the user writes one. */
export function PlanWithoutPrompts() {
  return (
    <Alert color="info" role="note">
      Your plan does not include custom prompts.{' '}
      <Link className="link" to="/console/pricing">
        See the plans
      </Link>
    </Alert>
  );
}
