/**
 * A text cut to at most `longest` UTF-16 code units, never through a character. One that was cut ends with `mark`, which is
 * counted.
 */
export function cutTo(text: string, longest: number, mark = ''): string {
  if (text.length <= longest) return text;
  const end = longest - mark.length;
  const isWithinCharacter = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(0, isWithinCharacter ? end - 1 : end) + mark;
}

/** A text, or as much of its beginning as {@link cutTo} keeps and how much is left out. */
export function beginningOf(text: string, longest: number): string {
  const kept = cutTo(text, longest);
  return kept === text ? text : `${kept}… (${text.length - kept.length} more characters)`;
}

/** The first line of a text, without control characters. */
export function firstLine(text: string): string {
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return line.replace(/\p{Control}/gu, '').trim();
}

/** A value as JSON has it, with every text in it, names among them, changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [change(name), walk(inner)]));
  };
  return walk(JSON.parse(JSON.stringify(value))) as T;
}
