import { cleanWithErrors } from './clean.ts';
import { termsIn } from './tokenize.ts';

/**
 * An issue as counted terms, all that scoring needs of its text. `terms` holds ids in ascending order; beside it `counts`
 * holds how often each occurs, packed: in the title, the description and the quoted errors, a byte each from the lowest,
 * no count above 255.
 */
export interface DocumentTerms {
  readonly terms: Uint32Array;
  readonly counts: Uint32Array;
  readonly quotesError: boolean;
}

/** How often a term occurs in the title, by its packed count. */
export function inTitle(count: number): number {
  return count & 255;
}

/** How often a term occurs in the description, by its packed count. */
export function inBody(count: number): number {
  return (count >>> 8) & 255;
}

/** How often a term occurs in the errors that the description quotes, by its packed count. */
export function inErrors(count: number): number {
  return (count >>> 16) & 255;
}

/** Reports lead with what matters and end in logs: the first words of a description are compared, as many as here. */
const BODY_WORDS = 300;
const TITLE_WORDS = 64;
const ERROR_WORDS = 80;
const MOST_COUNTED = 255;

/** Counts the terms of an issue. `idOf` gives a term's number; an id under 0 leaves the term out. */
export function countTerms(title: string, body: string, idOf: (term: string) => number): DocumentTerms {
  const { text, errorText } = cleanWithErrors(body);
  const titleCounts = count(termsIn(title, TITLE_WORDS), idOf);
  const bodyCounts = count(termsIn(text, BODY_WORDS), idOf);
  const errorCounts = count(termsIn(errorText, ERROR_WORDS), idOf);
  for (const [id, times] of errorCounts) if (!bodyCounts.has(id)) bodyCounts.set(id, times);
  const ids = [...new Set([...titleCounts.keys(), ...bodyCounts.keys()])].sort((a, b) => a - b);
  const packed = new Uint32Array(ids.length * 2);
  packed.set(ids);
  for (const [at, id] of ids.entries()) {
    packed[ids.length + at] =
      capped(titleCounts.get(id)) +
      capped(bodyCounts.get(id)) * 0x100 +
      capped(errorCounts.get(id)) * 0x10000;
  }
  return {
    terms: packed.subarray(0, ids.length),
    counts: packed.subarray(ids.length),
    quotesError: errorCounts.size > 0,
  };
}

function capped(times: number | undefined): number {
  return Math.min(MOST_COUNTED, times ?? 0);
}

function count(terms: readonly string[], idOf: (term: string) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const id = idOf(term);
    if (id >= 0) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
