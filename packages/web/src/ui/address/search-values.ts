import type { z } from 'zod';

/** The server takes a position up to a million. */
const LAST_PAGE = 100_000;

/** A page number, from 1; the first page when it makes no sense. */
export function readPage(text: string | null): number {
  const page = text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 1;
  return page >= 1 && page <= LAST_PAGE ? page : 1;
}

/** A value that the schema knows, else `otherwise`. */
export function readMember<S extends z.ZodType>(schema: S, text: string | null, otherwise: z.output<S>) {
  const parsed = schema.safeParse(text);
  return parsed.success ? parsed.data : otherwise;
}

/** A text without the blanks around it; empty when it is longer than anybody takes. */
export function readText(text: string | null, longest: number): string {
  const trimmed = (text ?? '').trim();
  return trimmed.length <= longest ? trimmed : '';
}

/** What a search holds: lists are joined by commas, null and an empty text stand for "not given". */
export type SearchValue = string | number | boolean | null | readonly string[];

/**
 * The address of a search, in the order of `defaults`: what is as by default is left out, parameters of `current` that
 * are none of the search's stay.
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
