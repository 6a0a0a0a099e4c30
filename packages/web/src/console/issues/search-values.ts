import type { z } from 'zod';

/** The server takes a position up to a million. */
const LAST_PAGE = 100_000;

/** The part of a project's id that the address carries. */
export function projectSegment(projectId: string): string {
  return projectId.slice(0, 8).toLowerCase();
}

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

/** Segments of project ids, each once. */
export function readProjects(text: string | null): readonly string[] {
  const segments = (text ?? '').split(',').map((part) => part.trim().toLowerCase());
  return [...new Set(segments.filter((segment) => /^[0-9a-f]{8}$/.test(segment)))];
}

/** A text without the blanks around it; empty when it is longer than anybody takes. */
export function readText(text: string | null, longest: number): string {
  const trimmed = (text ?? '').trim();
  return trimmed.length <= longest ? trimmed : '';
}
