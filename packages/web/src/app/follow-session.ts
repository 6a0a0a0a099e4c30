import type { createBrowserRouter } from 'react-router';
import { queryClient } from './query-client.ts';
import { takeReturnPath } from './session/return-path.ts';
import { onAuthChange, watchOtherTabs } from './session/session.ts';

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * Moves the page when somebody signs in or out, in this tab or another: in, to where they were going; out, to
 * `/`; a lost session, to sign-in. What the cache held belonged to somebody else and goes with them.
 */
export function followSession(router: Router): void {
  watchOtherTabs();
  onAuthChange(({ reason }) => {
    const inConsole = router.state.location.pathname.startsWith('/console');
    if (reason === 'signed_in') {
      if (!inConsole) void router.navigate(takeReturnPath(window.localStorage), { replace: true });
      return;
    }
    const target = reason === 'lost' ? '/login' : '/';
    const gone = inConsole ? router.navigate(target, { replace: reason === 'lost' }) : Promise.resolve();
    // Cleared after the screens are gone, so that none of them asks again without a session.
    void Promise.resolve(gone).then(() => queryClient.clear());
  });
}
