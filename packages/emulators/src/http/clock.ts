/**
 * A time in UTC with whole seconds, cut off and not rounded.
 *
 * @param ms milliseconds since 1970
 */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * Milliseconds since 1970 of a seeded time.
 *
 * @throws Error when the text is not a time
 */
export function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`"${text}" is not a time. Write it as 2024-01-31T12:00:00Z.`);
  return ms;
}

/** A clock that stands still until it is moved. */
export function handClock(start = '2024-06-01T12:00:00Z') {
  let ms = Date.parse(start);
  return {
    now: () => new Date(ms),
    advance: (seconds: number) => {
      ms += seconds * 1000;
    },
  };
}
