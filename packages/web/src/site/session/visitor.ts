import { useEffect, useState } from 'react';
import { ACCESS_TOKEN_KEY, endReasonOf } from '../../api/session/token-store.ts';

/** Loads the session code on first use, because most visitors do not need it. */
export const loadSession = () => import('../../api/session/session.ts');

/**
 * True if the last session of this browser ended without a sign-out. False until the script of the
 * page runs.
 */
export function useSessionLost(): boolean {
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    try {
      setLost(!hasStoredToken() && endReasonOf(window.localStorage) === 'lost');
    } catch {
      // If the browser denies access to storage, no session can exist.
    }
  }, []);
  return isLost;
}

/** True if this browser stores an access token. The server may still reject it. */
export function hasStoredToken(): boolean {
  try {
    return window.localStorage.getItem(ACCESS_TOKEN_KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * True after the server has confirmed that the user is signed in.
 * Ends a session that the server rejects. The value changes when the user signs in or out in
 * another tab.
 */
export function useIsSignedIn(): boolean {
  const [isSignedIn, setSignedIn] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    async function update(): Promise<void> {
      const confirmed = await isConfirmed();
      if (!isUnmounted) setSignedIn(confirmed);
    }
    const follow = (event: StorageEvent) => {
      if (event.key === ACCESS_TOKEN_KEY || event.key === null) void update();
    };
    void update();
    window.addEventListener('storage', follow);
    return () => {
      isUnmounted = true;
      window.removeEventListener('storage', follow);
    };
  }, []);
  return isSignedIn;
}

/**
 * Checks the access token with the server. Loads the larger session code only if the token must be
 * refreshed.
 */
async function isConfirmed(): Promise<boolean> {
  if (!hasStoredToken()) return false;
  const authorization = `Bearer ${window.localStorage.getItem(ACCESS_TOKEN_KEY)}`;
  const response = await fetch('/api/v1/auth/users/me', { headers: { authorization } }).catch(() => null);
  // Reads the body, because the connection stays open until the body has been read.
  await response?.text().catch(() => null);
  if (response?.status !== 401) return response?.ok === true;
  const { api } = await loadSession();
  // If the session cannot be refreshed, this call ends it.
  return api('GET', '/auth/users/me').then(
    () => true,
    () => false,
  );
}
