import { useEffect } from 'react';
import { takeReturnPath } from '../../api/session/return-path.ts';
import { ACCESS_TOKEN_KEY } from '../../api/session/token-store.ts';
import { holdsToken } from '../session/visitor.ts';

/**
 * Whoever is signed in has no use for the ways in: they are taken to the console, and when another tab signs in while
 * this one is open, to where they were going.
 */
export function useVisitorOnly(): void {
  useEffect(() => {
    // Also when the browser brings the page back as it was left.
    const look = () => {
      if (holdsToken()) window.location.replace('/console');
    };
    const follow = (event: StorageEvent) => {
      if (event.key !== ACCESS_TOKEN_KEY || event.newValue === null) return;
      window.location.replace(takeReturnPath(window.localStorage));
    };
    look();
    window.addEventListener('pageshow', look);
    window.addEventListener('storage', follow);
    return () => {
      window.removeEventListener('pageshow', look);
      window.removeEventListener('storage', follow);
    };
  }, []);
}
