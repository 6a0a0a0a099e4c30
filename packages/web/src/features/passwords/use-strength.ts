import type { Strength } from '@winnow/passwords/levels';
import { useEffect, useState } from 'react';

/** Delay after the last keystroke before the password is rated. A rating takes up to 200 ms. */
const TYPING_PAUSE_MS = 150;

/** Loads the rating function and its dictionaries when the first password is typed. */
const load = () => import('@winnow/passwords/strength');

/**
 * Rates a password while it is typed. Null for an empty password and before the first rating.
 * `identity` contains personal data that an attacker may know. If the dictionaries fail to load,
 * only the server rates the password.
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
