const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/**
 * How long to wait before trying again, in milliseconds: doubling from one second to thirty, of which a random
 * half is taken away so that clients cut off together do not come back together.
 *
 * @param attempt how many attempts have failed in a row, from 0
 * @param random a number from 0 up to 1
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling * (0.5 + random / 2));
}
