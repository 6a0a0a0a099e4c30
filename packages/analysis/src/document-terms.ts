import { cleanWithErrors } from './clean.ts';
import { languageOfIssue } from './language.ts';
import { MAX_TITLE_WORDS, termsIn } from './tokenize.ts';

/**
 * The counted terms of an issue; scoring needs nothing else of its text. `terms` contains term ids
 * in ascending order.
 *
 * `counts` contains three numbers per term, packed into one integer. They are its occurrences in
 * the title, in the description and in quoted errors. Each uses one byte, starting with the lowest,
 * and is at most 255.
 */
export interface DocumentTerms {
  readonly terms: Uint32Array;
  readonly counts: Uint32Array;
  readonly quotesError: boolean;
}

/** Unpacks the number of occurrences of a term in the title. */
export function inTitle(count: number): number {
  return count & 255;
}

/** Unpacks the number of occurrences of a term in the description. */
export function inBody(count: number): number {
  return (count >>> 8) & 255;
}

/** Unpacks the number of occurrences of a term in the quoted errors. */
export function inErrors(count: number): number {
  return (count >>> 16) & 255;
}

/**
 * Maximum words of a description that are compared. Reports begin with the problem and often end
 * with logs.
 */
const MAX_BODY_WORDS = 300;
const MAX_ERROR_WORDS = 80;
const MAX_COUNT = 255;

/**
 * Counts the terms of an issue. `idOf` returns the id of a term. Terms with a negative id are
 * omitted.
 */
export function countTerms(title: string, body: string, idOf: (term: string) => number): DocumentTerms {
  const { text, errorText } = cleanWithErrors(body);
  const language = languageOfIssue({ title, body });
  const titleCounts = count(termsIn(title, MAX_TITLE_WORDS, language), idOf);
  const bodyCounts = count(termsIn(text, MAX_BODY_WORDS, language), idOf);
  const errorCounts = count(termsIn(errorText, MAX_ERROR_WORDS), idOf);
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
  return Math.min(MAX_COUNT, times ?? 0);
}

function count(terms: readonly string[], idOf: (term: string) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const id = idOf(term);
    if (id >= 0) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
