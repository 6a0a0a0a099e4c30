import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { documentTitle } from '../app/screen-title.ts';
import { EmptyState } from '../ui/empty-state.tsx';

/** An address that leads nowhere, and the way back. */
export function NotFoundScreen() {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = documentTitle('Not found');
  }, []);
  const inConsole = pathname.startsWith('/console');
  return (
    <EmptyState
      icon={IconMapOff}
      title="There is no page here"
      action={
        <Button component={Link} to={inConsole ? '/console' : '/'} variant="filled">
          {inConsole ? 'Go to the Overview' : 'Go to the start'}
        </Button>
      }
    >
      The address may be mistyped, or the page was removed.
    </EmptyState>
  );
}
