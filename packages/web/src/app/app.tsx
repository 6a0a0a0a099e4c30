import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { Toasts } from '../ui/toasts.tsx';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { cssVariables } from './theme/css-variables.ts';
import { mantineTheme } from './theme/mantine-theme.ts';
import { useTheme } from './theme/theme-store.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';

/** Everything around the screens: theme, cache, toasts, the upgrade dialog. */
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
