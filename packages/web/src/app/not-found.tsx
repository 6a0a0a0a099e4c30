import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/states/empty-state.tsx';

/**
 * Screen for unknown paths below `/console`. For all other unknown paths, the server returns
 * 404.html.
 */
export function NotFoundScreen() {
  return (
    <EmptyState
      icon={IconMapOff}
      title="Page not found"
      action={
        <Button component={Link} to="/console" variant="filled">
          Go to the Overview
        </Button>
      }
    >
      Check the address, or the page may have been removed.
    </EmptyState>
  );
}
