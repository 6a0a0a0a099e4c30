import type { z } from 'zod';

/**
 * Maximum page number. With 10 items a page, it corresponds to the server's limit of 1,000,000
 * items to skip.
 */
const LAST_PAGE = 100_000;

/** Parses a page number, which starts at 1. Returns 1 if the text is invalid. */
export function readPage(text: string | null): number {
  const page = text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 1;
  return page >= 1 && page <= LAST_PAGE ? page : 1;
}

/** Returns the value if the schema accepts it, otherwise `fallback`. */
export function readMember<S extends z.ZodType>(schema: S, text: string | null, fallback: z.output<S>) {
  const parsed = schema.safeParse(text);
  return parsed.success ? parsed.data : fallback;
}

/** Trims a text. Returns an empty text if the text is longer than `maxChars`. */
export function readText(text: string | null, maxChars: number): string {
  const trimmed = (text ?? '').trim();
  return trimmed.length <= maxChars ? trimmed : '';
}

/** Value of a search parameter. Lists are joined by commas. Null and empty texts mean "not set". */
export type SearchValue = string | number | boolean | null | readonly string[];

/**
 * Writes the values of a search into the query parameters, in the order of `defaults`. Omits values
 * that equal their default. Parameters in `current` that do not belong to the search stay
 * unchanged.
 */
export function serialize<Name extends string>(
  defaults: Record<Name, SearchValue>,
  search: Record<Name, SearchValue>,
  current: URLSearchParams = new URLSearchParams(),
): URLSearchParams {
  const parameters = new URLSearchParams(current);
  for (const name of Object.keys(defaults) as Name[]) {
    parameters.delete(name);
    const text = String(search[name] ?? '');
    if (text !== String(defaults[name] ?? '')) parameters.set(name, text);
  }
  return parameters;
}
