import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { sentenceOf } from '../api/session/api-error.ts';
import { EmptyState } from '../ui/states/empty-state.tsx';

/** Error screen for a screen that fails, or whose code cannot be loaded. It offers a reload. */
export function RouteFailure() {
  const error = useRouteError();
  return (
    <main>
      <EmptyState
        icon={IconAlertTriangle}
        title="This screen could not be shown"
        action={
          <Button variant="filled" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        {sentenceOf(error, 'Winnow may have been updated while this page was open. Reload to continue.')}
      </EmptyState>
    </main>
  );
}
