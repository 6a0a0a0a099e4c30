import { useEffect } from 'react';
import { takeReturnPath } from '../../api/session/return-path.ts';
import { ACCESS_TOKEN_KEY } from '../../api/session/token-store.ts';
import { hasStoredToken } from '../session/visitor.ts';

/**
 * Redirects signed-in users to the console. If the user signs in in another tab, redirects to the
 * page that the user had wanted to open.
 */
export function useVisitorOnly(): void {
  useEffect(() => {
    // `pageshow` also fires when the browser restores the page from its back/forward cache.
    const redirectIfSignedIn = () => {
      if (hasStoredToken()) window.location.replace('/console');
    };
    const follow = (event: StorageEvent) => {
      if (event.key !== ACCESS_TOKEN_KEY || event.newValue === null) return;
      window.location.replace(takeReturnPath(window.localStorage));
    };
    redirectIfSignedIn();
    window.addEventListener('pageshow', redirectIfSignedIn);
    window.addEventListener('storage', follow);
    return () => {
      window.removeEventListener('pageshow', redirectIfSignedIn);
      window.removeEventListener('storage', follow);
    };
  }, []);
}
