import type { QueryFamily } from '../query/query-keys.ts';

/**
 * Delay after the first event of a burst. Further events of the burst are collected during the
 * delay.
 */
const FIRST_MS = 150;
/** Minimum interval between two refetches. */
const MIN_INTERVAL_MS = 1500;

/**
 * Collects query families and passes them to `invalidate` in batches.
 * The first batch follows shortly after the first event. During a burst, such as progress events,
 * batches are at least 1.5 s apart. `now` returns milliseconds.
 */
export function batchInvalidations(
  invalidate: (families: ReadonlySet<QueryFamily>) => void,
  now: () => number,
): (families: readonly QueryFamily[]) => void {
  let pending = new Set<QueryFamily>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting = false;

  function flush(): void {
    const families = pending;
    pending = new Set();
    waiting = false;
    lastAt = now();
    invalidate(families);
  }

  return (families) => {
    for (const family of families) pending.add(family);
    if (pending.size === 0 || waiting) return;
    waiting = true;
    setTimeout(flush, Math.max(FIRST_MS, lastAt + MIN_INTERVAL_MS - now()));
  };
}
