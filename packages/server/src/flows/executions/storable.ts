import { visible } from '../../ai/index.ts';
import { mapTexts, truncateWithCount } from '../../platform/text.ts';

/** Maximum length of a text in a log entry, in UTF-16 code units. */
const MAX_LOGGED_TEXT_CHARS = 20_000;
const MAX_ENTRY_CHARS = 60_000;
/** Maximum nesting depth of arrays and objects in a log entry. */
const MAX_ENTRY_DEPTH = 50;

/** Matches JSON escapes of a null character or of surrogates. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Serializes a value to JSON. Removes characters that PostgreSQL cannot store. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(mapTexts(value, (text) => text.replaceAll('\u0000', '').toWellFormed()));
}

/** Truncates the payload of a log entry, and removes invisible characters from its texts. */
export function limitPayload(payload: Record<string, unknown>): Record<string, unknown> {
  let left = MAX_ENTRY_CHARS;
  const text = (whole: string): string => {
    const shown = visible(whole);
    const longest = Math.max(0, Math.min(MAX_LOGGED_TEXT_CHARS, left));
    left -= shown.length;
    return truncateWithCount(shown, longest);
  };
  /** Returns the parts that fit into the limit. If parts are omitted, appends their number. */
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
    if (depth > MAX_ENTRY_DEPTH) return '…';
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
