import { z } from 'zod';
import { malformed } from './failures.ts';

/**
 * Parses data from a tracker with a schema.
 * @throws {TrackerError} `malformed` if the data does not match the schema
 */
export function readAs<T>(schema: z.ZodType<T>, data: unknown, name: string, subject: string): T {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw malformed(name, subject, parsed.error);
  return parsed.data;
}

/** Parses a stored cursor. Null or an unknown format restarts from the beginning. */
export function readCursor<State>(schema: z.ZodType<State>, start: State, cursor: string | null): State {
  if (cursor === null) return start;
  try {
    const parsed = schema.safeParse(JSON.parse(cursor));
    return parsed.success ? parsed.data : start;
  } catch {
    return start;
  }
}

/** Parses a header as a whole number. Returns null for anything else. */
export function wholeNumber(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/** Schema for names and ids. Refuses characters that the database cannot store. */
export const storableText = z.string().refine((text) => text !== '' && cleanText(text) === text);

/** Returns the title of a milestone, iteration or version. Returns null if there is none. */
export function titleOf(named: { title?: string | undefined } | null | undefined): string | null {
  return cleanText(named?.title ?? '') || null;
}

/** Removes null characters and unpaired surrogates, which PostgreSQL cannot store. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
}
