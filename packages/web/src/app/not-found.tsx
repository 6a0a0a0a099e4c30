import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/states/empty-state.tsx';

/** An address of the console that leads nowhere, and the way back. Outside the console the server answers 404.html. */
export function NotFoundScreen() {
  return (
    <EmptyState
      icon={IconMapOff}
      title="There is no page here"
      action={
        <Button component={Link} to="/console" variant="filled">
          Go to the Overview
        </Button>
      }
    >
      The address may be mistyped, or the page was removed.
    </EmptyState>
  );
}
