/**
 * Formats a time in UTC without fractions of a second.
 * @param ms milliseconds since 1970
 */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * Parses a time from a seed. Returns milliseconds since 1970.
 * @throws {Error} if the text is not a time
 */
export function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`"${text}" is not a time. Write it as 2024-01-31T12:00:00Z.`);
  return ms;
}

/** Returns a clock for tests. Its time changes only by calls of `advance`. */
export function manualClock(start = '2024-06-01T12:00:00Z') {
  let ms = Date.parse(start);
  return {
    now: () => new Date(ms),
    advance: (seconds: number) => {
      ms += seconds * 1000;
    },
  };
}
