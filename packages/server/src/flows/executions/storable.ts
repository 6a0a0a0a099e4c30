import { visible } from '../../ai/fence.ts';
import { beginningOf, mapTexts } from '../../platform/text.ts';

/** The longest text in an entry of a log, and all that an entry holds, in UTF-16 code units. */
const LONGEST_TEXT = 20_000;
const LONGEST_ENTRY = 60_000;
/** Lists and objects within each other that an entry shows. */
const DEEPEST_ENTRY = 50;

/** How JSON writes a zero, and half of a pair of code units. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** A value as JSON that the database takes: without the characters that its JSON cannot hold. */
export function storable(value: unknown): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(mapTexts(value, (text) => text.replaceAll('\u0000', '').toWellFormed()));
}

/** What an entry of a log holds: every text as a person would see it; and what is too long, too much or too deep cut. */
export function bounded(payload: Record<string, unknown>): Record<string, unknown> {
  let left = LONGEST_ENTRY;
  const text = (whole: string): string => {
    const shown = visible(whole);
    const longest = Math.max(0, Math.min(LONGEST_TEXT, left));
    left -= shown.length;
    return beginningOf(shown, longest);
  };
  /** As many of the parts as there is room for. */
  const fitting = <Part, Shown>(
    parts: readonly Part[],
    show: (part: Part) => Shown,
    rest: (note: string) => Shown,
  ) => {
    const shown: Shown[] = [];
    for (const part of parts) {
      if (left <= 0) return [...shown, rest(`… (${parts.length - shown.length} more)`)];
      left -= 1;
      shown.push(show(part));
    }
    return shown;
  };
  const walk = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string') return text(part);
    if (typeof part !== 'object' || part === null) {
      left -= String(part).length;
      return part;
    }
    if (depth > DEEPEST_ENTRY) return '…';
    if (Array.isArray(part))
      return fitting<unknown, unknown>(
        part,
        (item) => walk(item, depth + 1),
        (note) => note,
      );
    const entries = fitting<[string, unknown], [string, unknown]>(
      Object.entries(part),
      ([name, inner]) => [text(name), walk(inner, depth + 1)],
      (note) => [note, null],
    );
    return Object.fromEntries(entries);
  };
  return walk(JSON.parse(JSON.stringify(payload)), 0) as Record<string, unknown>;
}
