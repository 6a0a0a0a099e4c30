const FIRST_MS = 1000;
const MAX_MS = 30_000;

/**
 * Returns the delay before a reconnect, in milliseconds. The delay doubles with every attempt, from
 * 1 s to 30 s. A random part of up to half is subtracted, so that clients do not reconnect
 * simultaneously.
 * `attempt` counts consecutive failures from 0. `random` is at least 0 and below 1.
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling * (0.5 + random / 2));
}
