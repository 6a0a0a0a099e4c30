import { z } from 'zod';
import { INVISIBLE_CHARACTERS } from './invisible-characters.ts';

/** A UUID. All ids are UUIDs. */
export const id = z.uuid().toLowerCase();

/** True if the text is a valid id. */
export function isId(text: string): boolean {
  return id.safeParse(text).success;
}

/**
 * Any JSON value. All schemas use this constant, because the API description refers to it by name.
 */
export const jsonValue = z.json();

/** Creates a schema that accepts the keys of an object. */
export function memberOf<T extends Record<string, unknown>>(set: T) {
  return z.enum(Object.keys(set) as (keyof T & string)[]);
}

/** A time in UTC with milliseconds, in ISO 8601 format. */
export const instant = z.iso.datetime({ precision: 3 });

/** SHA-256 of an issue's title, description, state, type and labels, as 64 hex digits. */
export const contentHash = z.string().regex(/^[0-9a-f]{64}$/);

/** Creates the schema of a name that people choose: one line of visible characters. */
export function givenName(maxChars: number) {
  return z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(maxChars, `A name has at most ${maxChars} characters.`)
    .refine((name) => name.search(INVISIBLE_CHARACTERS) === -1, {
      message: 'A name is one line without hidden characters. Type it instead of pasting it.',
      abort: true,
    })
    .regex(/^$|[\p{L}\p{N}\p{P}\p{S}]/u, 'Enter a name with visible characters.');
}

/** API key of an outside service. HTTP headers transmit it, so it must be printable ASCII. */
export const outsideApiKey = z
  .string()
  .trim()
  .max(1000, 'An API key has at most 1000 characters.')
  .regex(/^[\x21-\x7e]*$/, 'An API key has no spaces, no line breaks and only plain characters.');

/** Creates the schema of a whole number in a query string. */
function wholeNumber(minimum: number, maximum: number) {
  return z.coerce.number().int().min(minimum).max(maximum);
}

/**
 * Paging parameters of a list: `limit` from 1 to 100, and `skip`, with the alias `offset`. Spread
 * the result into the query schema of a list. {@link skipOf} reads the position.
 */
export function pageQuery(defaultLimit: number) {
  return {
    limit: wholeNumber(1, 100).default(defaultLimit),
    skip: wholeNumber(0, 1_000_000).optional(),
    offset: wholeNumber(0, 1_000_000).optional(),
  };
}

/** Returns the number of items to skip. `skip` takes precedence over `offset`. */
export function skipOf(query: { skip?: number | undefined; offset?: number | undefined }): number {
  return query.skip ?? query.offset ?? 0;
}

/**
 * Creates the schema of a query parameter that can be repeated. The parsed value is always an
 * array. It is empty if the parameter is absent.
 */
export function repeated<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (value) => (value === undefined || value === '' ? [] : Array.isArray(value) ? value : [value]),
    z.array(item).max(500),
  );
}

/** A reference to a project: its full id, or the first 8 hex digits. */
export const projectReference = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?$/i, {
    error: 'A project is named by its id or by the first 8 hex digits of it.',
  })
  .transform((text) => text.toLowerCase());

/** Accepts only `true` or `false` in a query string. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true');
