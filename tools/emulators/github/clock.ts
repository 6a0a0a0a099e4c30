/**
 * GitHub's form of a time: UTC, whole seconds, cut off and not rounded. Two edits within a second carry the same time.
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
