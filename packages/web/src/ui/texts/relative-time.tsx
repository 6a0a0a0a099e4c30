import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { absoluteTimeText, relativeTimeText } from './relative-time-text.ts';

const TICK_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let clock: ReturnType<typeof setInterval> | undefined;

/** One clock for all times on the page; it runs while there are any. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    clock = setInterval(() => {
      now = Date.now();
      for (const tell of listeners) tell();
    }, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(clock);
  };
}

/** How long ago an ISO instant was; the date itself is in the tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  const instant = Date.parse(at);
  return (
    <Tooltip label={absoluteTimeText(instant)}>
      <time dateTime={at}>{relativeTimeText(instant, current)}</time>
    </Tooltip>
  );
}
