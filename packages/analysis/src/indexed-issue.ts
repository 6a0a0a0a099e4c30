import { createHash } from 'node:crypto';
import { normalizeText } from './clean.ts';
import { countTerms, type DocumentTerms } from './document-terms.ts';
import { compareTerms, type Norms, normsOf } from './lexical.ts';
import { asSiblings, combineParts, mattersForSiblings } from './score.ts';
import { areSiblings, type TitleWords, titleWords } from './siblings.ts';

/** Similarities of two issues by part. A part is null if an issue lacks this part. */
export interface ScoreParts {
  /** Similarity of the titles, from 0 to 1. */
  title: number;
  /** Cosine of the words of the descriptions. */
  body: number;
  /** Cosine of the words of the quoted errors. Null unless both issues quote an error. */
  errorText: number | null;
  /**
   * Cosine of the two vectors after subtracting the account's mean vector, from -1 to 1. Null
   * unless both issues have a vector.
   */
  dense: number | null;
  /** Cosine of all words. A word in a title counts three times. */
  lexical: number;
}

/**
 * Scoring parameters from a snapshot. `idf` contains the weight of each term by its id. `center` is
 * subtracted from every vector.
 */
export interface Scale {
  idf: Float64Array;
  /** Weight of a term that occurs in no issue. */
  unseen: number;
  center: Float64Array;
}

/** An issue in memory: counted terms, hashes and a vector, but no text. */
export interface IndexedIssue {
  readonly id: string;
  readonly group: string;
  readonly createdAt: number;
  readonly author: string | null;
  readonly terms: DocumentTerms;
  readonly title: TitleWords;
  /**
   * Hash of the normalized text. Two issues have the same hash if their normalized texts are equal.
   */
  readonly digest: string;
  /** Embedding, normalized to length 1. */
  vector: Float32Array | null;
  /** Length of the vector after subtracting the center; 0 without a vector. */
  reach: number;
  norms: Norms;
}

/**
 * Extracts terms and hashes from the text of an issue. Call `rescale` before comparing the result.
 */
export function indexIssue(
  document: {
    id: string;
    group: string;
    title: string;
    body: string;
    vector: Float32Array | null;
    createdAt: number;
    author?: string | null;
  },
  idOf: (term: string) => number,
): IndexedIssue {
  return {
    id: document.id,
    group: document.group,
    createdAt: document.createdAt,
    author: document.author ?? null,
    terms: countTerms(document.title, document.body, idOf),
    title: titleWords(document.title),
    digest: createHash('sha256')
      .update(normalizeText(document.title, document.body))
      .digest('base64url')
      .slice(0, 24),
    vector: document.vector === null ? null : unitVector(document.vector),
    reach: 0,
    norms: { whole: 0, title: 0, body: 0, error: 0 },
  };
}

/** Updates the fields of an issue that depend on the snapshot. */
export function rescale(issue: IndexedIssue, scale: Scale): void {
  issue.norms = normsOf(issue.terms, scale.idf);
  issue.reach = issue.vector === null ? 0 : reachOf(issue.vector, scale.center);
}

/**
 * Returns a copy of a vector, normalized to length 1. Returns null if the vector is zero or
 * contains a value that is not finite.
 */
export function unitVector(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : null;
}

/**
 * Computes the similarity of two issues, and its parts. The similarity is symmetric and from 0 to
 * 1. It is 1 only for equal normalized texts. Without words, an issue has similarity 0 to all other
 * texts.
 */
export function comparePair(
  a: IndexedIssue,
  b: IndexedIssue,
  scale: Scale,
): { similarity: number; parts: ScoreParts } {
  const words = compareTerms(a.terms, b.terms, a.norms, b.norms, scale.idf);
  const title = rounded(words.title);
  const parts = {
    title: title ?? 0,
    body: rounded(words.body),
    errorText: rounded(words.errorText),
    dense: rounded(denseBetween(a, b, scale.center)),
    lexical: rounded(words.lexical),
  };
  if (a.digest === b.digest) return { similarity: 1, parts };
  if (a.terms.terms.length === 0 || b.terms.terms.length === 0) return { similarity: 0, parts };
  const similarity = combineParts(parts.dense, parts.lexical, title);
  const isDrawnBack = mattersForSiblings(similarity) && areSiblings(a.title, b.title);
  return { similarity: rounded(isDrawnBack ? asSiblings(similarity) : similarity), parts };
}

/** Rounds to nine digits. The order in which terms were added then does not change a score. */
export function rounded<Score extends number | null>(score: Score): Score;
export function rounded(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1e9) / 1e9;
}

function denseBetween(a: IndexedIssue, b: IndexedIssue, center: Float64Array): number | null {
  if (a.vector === null || b.vector === null) return null;
  const reach = a.reach * b.reach;
  if (reach === 0) return 0;
  let sum = 0;
  for (let at = 0; at < center.length; at += 1) {
    const middle = center[at] ?? 0;
    sum += ((a.vector[at] ?? 0) - middle) * ((b.vector[at] ?? 0) - middle);
  }
  return Math.max(-1, Math.min(1, sum / reach));
}

function reachOf(vector: Float32Array, center: Float64Array): number {
  let squares = 0;
  for (let at = 0; at < center.length; at += 1) squares += ((vector[at] ?? 0) - (center[at] ?? 0)) ** 2;
  return Math.sqrt(squares);
}
