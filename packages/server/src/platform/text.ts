/**
 * Cuts a text to at most `maxLength` UTF-16 code units, never within a character. A cut text ends
 * with `mark`, and `maxLength` includes the mark.
 */
export function truncate(text: string, maxLength: number, mark = ''): string {
  if (text.length <= maxLength) return text;
  const end = maxLength - mark.length;
  const isWithinCharacter = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(0, isWithinCharacter ? end - 1 : end) + mark;
}

/** Cuts a text like {@link truncate} and appends the number of characters cut off. */
export function truncateWithCount(text: string, maxLength: number): string {
  const kept = truncate(text, maxLength);
  return kept === text ? text : `${kept}… (${text.length - kept.length} more characters)`;
}

/** Returns the first line of a text, without control characters. */
export function firstLine(text: string): string {
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return line.replace(/\p{Control}/gu, '').trim();
}

/** Applies `change` to every string in a JSON value, including property names. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [change(name), walk(inner)]));
  };
  return walk(JSON.parse(JSON.stringify(value))) as T;
}
