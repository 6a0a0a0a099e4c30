import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '../api/query/query-client.ts';
import { useTheme } from '../theme/theme-store.ts';
import { Toasts } from '../ui/toasts/toasts.tsx';
import { cssVariables } from './mantine/css-variables.ts';
import { mantineTheme } from './mantine/mantine-theme.ts';
import { router } from './router.tsx';
import { UpgradeDialog } from './upgrade-dialog.tsx';

/** Root component: sets up the theme, query cache, toasts, routes and upgrade dialog. */
export function App() {
  const { scheme } = useTheme();
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <RouterProvider router={router} />
        <UpgradeDialog />
      </QueryClientProvider>
    </MantineProvider>
  );
}
