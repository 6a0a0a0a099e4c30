import type { Strength } from '@winnow/passwords/levels';
import { useEffect, useState } from 'react';

/** Ratings wait for a pause in typing: one takes up to 30 ms. */
const TYPING_PAUSE_MS = 150;

/** The rating of passwords with its dictionaries, loaded when the first password is typed. */
const load = () => import('@winnow/passwords/strength');

/**
 * Rates a password while it is typed; null before the first rating and for an empty one. `identity` holds what an attacker
 * knows of the user. Without the dictionaries there is no rating here, and the server's counts alone.
 */
export function useStrength(password: string, identity: readonly string[]): Strength | null {
  const [strength, setStrength] = useState<Strength | null>(null);
  const known = identity.join('\n');
  useEffect(() => {
    if (password === '') {
      setStrength(null);
      return;
    }
    let isOutdated = false;
    const timer = setTimeout(() => {
      load().then(
        ({ rateStrength }) => {
          if (!isOutdated) setStrength(rateStrength(password, known.split('\n').filter(Boolean)));
        },
        () => setStrength(null),
      );
    }, TYPING_PAUSE_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [password, known]);
  return strength;
}
