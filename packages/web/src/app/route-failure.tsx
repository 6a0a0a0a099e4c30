import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { sentenceOf } from '../api/session/api-error.ts';
import { EmptyState } from '../ui/states/empty-state.tsx';

/** A screen that broke, or whose code did not arrive, with the one thing that helps. */
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
        {sentenceOf(error, 'Winnow may have been updated while this page was open. Reload it to go on.')}
      </EmptyState>
    </main>
  );
}
