import { useEffect, useState } from 'react';
import { ACCESS_TOKEN_KEY, endReasonOf } from '../../api/session/token-store.ts';

/** The session's code, loaded when it is first needed: a page can be read without it. */
export const loadSession = () => import('../../api/session/session.ts');

/** True if the last session of this browser ended without signing out. False until the page's script runs. */
export function useSessionLost(): boolean {
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    try {
      setLost(!holdsToken() && endReasonOf(window.localStorage) === 'lost');
    } catch {
      // Without storage there was no session.
    }
  }, []);
  return isLost;
}

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
      const confirmed = await isConfirmed();
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

/** Asks the server with what is at hand; the session's code, which is larger, only when the token has to be replaced. */
async function isConfirmed(): Promise<boolean> {
  if (!holdsToken()) return false;
  const authorization = `Bearer ${window.localStorage.getItem(ACCESS_TOKEN_KEY)}`;
  const answer = await fetch('/api/v1/auth/users/me', { headers: { authorization } }).catch(() => null);
  // A request whose answer nobody reads stays open for as long as the page.
  await answer?.text().catch(() => null);
  if (answer?.status !== 401) return answer?.ok === true;
  const { api } = await loadSession();
  // A session that cannot be refreshed is ended by this call.
  return api('GET', '/auth/users/me').then(
    () => true,
    () => false,
  );
}
