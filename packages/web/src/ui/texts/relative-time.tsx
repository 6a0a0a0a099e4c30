import { useSyncExternalStore } from 'react';
import { absoluteTimeText, relativeTimeText } from './relative-time-text.ts';

const TICK_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let clock: ReturnType<typeof setInterval> | undefined;

/**
 * Subscribes to the clock that all relative times on the page share. The clock runs only while it
 * has subscribers.
 */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    clock = setInterval(() => {
      now = Date.now();
      for (const notify of listeners) notify();
    }, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(clock);
  };
}

/**
 * Shows an ISO time as a relative time. Its `title` attribute contains the date. A `Tooltip` in
 * every row would double the script time of a row.
 */
export function RelativeTime({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  const instant = Date.parse(at);
  return (
    <time title={absoluteTimeText(instant)} dateTime={at}>
      {relativeTimeText(instant, current)}
    </time>
  );
}
