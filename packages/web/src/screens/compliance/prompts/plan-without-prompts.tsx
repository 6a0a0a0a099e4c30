import { Alert } from '@mantine/core';
import { Link } from 'react-router';

/** That the plan has no prompts of one's own, before anybody has written one. */
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
