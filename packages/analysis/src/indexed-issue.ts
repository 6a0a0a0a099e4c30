import { createHash } from 'node:crypto';
import { normalizeText } from './clean.ts';
import { countTerms, type DocumentTerms } from './document-terms.ts';
import { compareTerms, type Norms, normsOf } from './lexical.ts';
import { asSiblings, combineParts, mattersForSiblings } from './score.ts';
import { areSiblings, type TitleWords, titleWords } from './siblings.ts';

/**
 * Similarities of two issues by part. A part is null if one of the issues has nothing to compare.
 */
export interface ScoreParts {
  /** Similarity of the titles, from 0 to 1. */
  title: number;
  /** Cosine of the words of the descriptions. */
  body: number;
  /** Cosine of the words of the quoted errors; null unless both quote one. */
  errorText: number | null;
  /**
   * Cosine of the vectors relative to the account's mean, from -1 to 1; null unless both have a
   * vector.
   */
  dense: number | null;
  /** Cosine of all words, where title words count three times. */
  lexical: number;
}

/**
 * Scoring parameters from a snapshot: term weights by id, and the center that is subtracted from
 * every vector.
 */
export interface Scale {
  idf: Float64Array;
  /** Weight of a term never seen. */
  unseen: number;
  center: Float64Array;
}

/** An issue in memory: counted terms, hashes and the vector, but no text. */
export interface IndexedIssue {
  readonly id: string;
  readonly group: string;
  readonly createdAt: number;
  readonly author: string | null;
  readonly terms: DocumentTerms;
  readonly title: TitleWords;
  /** Equal for two issues exactly if their normalized texts are equal. */
  readonly digest: string;
  /** The vector, normalized to length 1. */
  vector: Float32Array | null;
  /** Length of the vector relative to the center; 0 without a vector. */
  reach: number;
  norms: Norms;
}

/** Reads an issue's text. Computes its norms and reach under `scale`. */
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

/** Updates the fields that depend on the snapshot. */
export function rescale(issue: IndexedIssue, scale: Scale): void {
  issue.norms = normsOf(issue.terms, scale.idf);
  issue.reach = issue.vector === null ? 0 : reachOf(issue.vector, scale.center);
}

/**
 * Returns a copy normalized to length 1. Returns null for a zero vector or one with other values
 * than finite numbers.
 */
export function unitVector(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : null;
}

/**
 * Computes the similarity of two issues and its parts. Exactly symmetric, in [0, 1], and 1 exactly
 * if the normalized texts are equal. An issue without words has similarity 0 to every other text.
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

/**
 * Rounds to nine digits, so that a score does not depend on the order in which terms were added.
 */
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
