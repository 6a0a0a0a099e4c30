import { type DocumentTerms, inBody, inErrors, inTitle } from './document-terms.ts';

/** Weight of a word in the title. A word in the description has weight 1. */
const TITLE_FACTOR = 3;
const MAX_TIMES = 255 * (TITLE_FACTOR + 1);

/** 1 + ln(count), and 0 for count 0. The tenth mention of a word then adds less than the second. */
const SUBLINEAR = Float64Array.from({ length: MAX_TIMES + 1 }, (_, times) =>
  times === 0 ? 0 : 1 + Math.log(times),
);

/**
 * Unpacks the counts of a term in title and description. Returns their weighted sum on a
 * logarithmic scale.
 */
export function wholeWeight(count: number): number {
  return SUBLINEAR[TITLE_FACTOR * inTitle(count) + inBody(count)] ?? 0;
}

/** Returns the count of a term in one part of an issue on a logarithmic scale. */
export function partWeight(times: number): number {
  return SUBLINEAR[times] ?? 0;
}

/** Lengths of an issue's TF-IDF vectors: one for the whole text, and one for each part. */
export interface Norms {
  whole: number;
  title: number;
  body: number;
  error: number;
}

/**
 * Similarities of two texts, from 0 to 1. `title` is null if no title contains a term. `errorText`
 * is null unless both texts quote an error.
 */
export interface LexicalParts {
  lexical: number;
  title: number | null;
  body: number;
  errorText: number | null;
}

/**
 * Returns the lengths of an issue's TF-IDF vectors. `idf` contains the weight of each term by its
 * id.
 */
export function normsOf(document: DocumentTerms, idf: Float64Array): Norms {
  const squares = { whole: 0, title: 0, body: 0, error: 0 };
  for (let at = 0; at < document.terms.length; at += 1) {
    const weight = (idf[document.terms[at] ?? 0] ?? 0) ** 2;
    const count = document.counts[at] ?? 0;
    squares.whole += weight * wholeWeight(count) ** 2;
    squares.title += weight * partWeight(inTitle(count)) ** 2;
    squares.body += weight * partWeight(inBody(count)) ** 2;
    squares.error += weight * partWeight(inErrors(count)) ** 2;
  }
  return {
    whole: Math.sqrt(squares.whole),
    title: Math.sqrt(squares.title),
    body: Math.sqrt(squares.body),
    error: Math.sqrt(squares.error),
  };
}

/**
 * Compares two issues by their words. The result is exactly symmetric, because terms are visited in
 * the order of their ids.
 *
 * `lexical` is the TF-IDF cosine of 3 × title + description, with sublinear counts (Salton and
 * Buckley 1988). `title` is a share of both titles' words, by squared weight: words that also occur
 * in the title or description of the other issue. It is 1 for titles with the same words. It is
 * also high if one description contains the other issue's title.
 */
export function compareTerms(
  a: DocumentTerms,
  b: DocumentTerms,
  normsA: Norms,
  normsB: Norms,
  idf: Float64Array,
): LexicalParts {
  const dots = { whole: 0, body: 0, error: 0, saidA: 0, saidB: 0 };
  const [termsA, termsB] = [a.terms, b.terms];
  let [atA, atB] = [0, 0];
  while (atA < termsA.length && atB < termsB.length) {
    const [termA, termB] = [termsA[atA] ?? 0, termsB[atB] ?? 0];
    if (termA === termB) {
      const weight = (idf[termA] ?? 0) ** 2;
      const [countA, countB] = [a.counts[atA] ?? 0, b.counts[atB] ?? 0];
      const [titleA, titleB] = [partWeight(inTitle(countA)), partWeight(inTitle(countB))];
      dots.whole += weight * (wholeWeight(countA) * wholeWeight(countB));
      dots.body += weight * (partWeight(inBody(countA)) * partWeight(inBody(countB)));
      dots.error += weight * (partWeight(inErrors(countA)) * partWeight(inErrors(countB)));
      dots.saidA += weight * titleA * titleA;
      dots.saidB += weight * titleB * titleB;
    }
    if (termA <= termB) atA += 1;
    if (termB <= termA) atB += 1;
  }
  return {
    lexical: ratio(dots.whole, normsA.whole * normsB.whole),
    title: titlePart(dots.saidA + dots.saidB, normsA.title, normsB.title),
    body: ratio(dots.body, normsA.body * normsB.body),
    errorText: a.quotesError && b.quotesError ? ratio(dots.error, normsA.error * normsB.error) : null,
  };
}

/**
 * Computes the title similarity. `said` is the squared weight of the title words that the other
 * issue contains, summed over both titles.
 */
export function titlePart(said: number, normA: number, normB: number): number | null {
  if (normA === 0 && normB === 0) return null;
  return ratio(said, normA * normA + normB * normB);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}
