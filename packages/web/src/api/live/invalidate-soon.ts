import type { QueryFamily } from '../query/query-keys.ts';

/** The first event of a burst is acted on after this; it leaves time for the events that come with it. */
const FIRST_MS = 150;
/** However many events come, what they touch is refetched at most this often. */
const APART_MS = 1500;

/**
 * Gathers families and hands them to `invalidate` together: soon after a quiet time, and in a long burst (an
 * analysis that reports its progress) no more often than every 1.5 s. `now` is in milliseconds.
 */
export function gatherInvalidations(
  invalidate: (families: ReadonlySet<QueryFamily>) => void,
  now: () => number,
): (families: readonly QueryFamily[]) => void {
  let gathered = new Set<QueryFamily>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting = false;

  function flush(): void {
    const families = gathered;
    gathered = new Set();
    waiting = false;
    lastAt = now();
    invalidate(families);
  }

  return (families) => {
    for (const family of families) gathered.add(family);
    if (gathered.size === 0 || waiting) return;
    waiting = true;
    setTimeout(flush, Math.max(FIRST_MS, lastAt + APART_MS - now()));
  };
}
