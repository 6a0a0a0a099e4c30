import { useEffect, useState } from 'react';
import { ACCESS_TOKEN_KEY } from '../../app/session/token-store.ts';

/** The session's code, loaded when it is first needed: a page can be read without it. */
export const loadSession = () => import('../../app/session/session.ts');

/** Whether this browser holds a session. The server may still refuse it. */
export function holdsToken(): boolean {
  try {
    return window.localStorage.getItem(ACCESS_TOKEN_KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * Whether somebody is signed in, as the server confirms; false until it has. A session that the server refuses is ended.
 * Follows what this and other tabs do.
 */
export function useIsSignedIn(): boolean {
  const [isSignedIn, setSignedIn] = useState(false);
  useEffect(() => {
    let isGone = false;
    async function look(): Promise<void> {
      if (!holdsToken()) {
        setSignedIn(false);
        return;
      }
      const { confirmSession } = await import('./confirm-session.ts');
      const confirmed = await confirmSession();
      if (!isGone) setSignedIn(confirmed);
    }
    const follow = (event: StorageEvent) => {
      if (event.key === ACCESS_TOKEN_KEY || event.key === null) void look();
    };
    void look();
    window.addEventListener('storage', follow);
    return () => {
      isGone = true;
      window.removeEventListener('storage', follow);
    };
  }, []);
  return isSignedIn;
}
