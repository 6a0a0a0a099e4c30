import { z } from 'zod';
import { malformed } from './failures.ts';

/** Reads a tracker's data by a schema. @throws {TrackerError} `malformed` when it does not fit. */
export function readAs<T>(schema: z.ZodType<T>, data: unknown, name: string, subject: string): T {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw malformed(name, subject, parsed.error);
  return parsed.data;
}

/** Reads a stored cursor. Null, and anything that is not one of ours, starts from the beginning. */
export function readCursor<State>(schema: z.ZodType<State>, start: State, cursor: string | null): State {
  if (cursor === null) return start;
  try {
    const parsed = schema.safeParse(JSON.parse(cursor));
    return parsed.success ? parsed.data : start;
  } catch {
    return start;
  }
}

/** A header's whole number; null for anything else. */
export function wholeNumber(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/** A name or an id that can be stored as it came. */
export const storableText = z.string().refine((text) => text !== '' && cleanText(text) === text);

/** The text without NUL and halves of surrogate pairs, which PostgreSQL cannot store. Nothing else is changed. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
}
