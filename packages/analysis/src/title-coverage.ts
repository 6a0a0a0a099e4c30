import type { Language } from './language.ts';
import { MAX_TITLE_WORDS, tokenizeIn } from './tokenize.ts';

/**
 * A word of a title. `written` is its spelling, `weight` is the highest weight of its terms, and
 * `isCovered` is true if the other issue contains it.
 */
export interface TitleWord {
  written: string;
  weight: number;
  /**
   * True if the word names a particular thing: a version, a number, an identifier, an abbreviation,
   * or a tag in brackets.
   */
  isName: boolean;
  isCovered: boolean;
}

/**
 * Matches a digit, a capital inside a word, a character that joins identifiers, or an abbreviation.
 */
const NAME_SIGN = /\p{N}|\p{Ll}\p{Lu}|[\p{L}\p{N}][._\-/:@#$][\p{L}\p{N}]|^\p{Lu}{2,}s?$/u;
/** Matches a version number. Its parts are not compared separately, because 3.8.2 is not 3.8.3. */
export const DOTTED_VERSION = /^v?\p{N}+(?:\.\p{N}+)+/iu;

/**
 * Returns the different words among the first 64 of a title. `said` contains the terms of the other
 * issue, which cover words of the title. `idf` returns the weight of a term. Omits words of weight
 * 0.
 */
export function readTitle(
  title: string,
  said: ReadonlySet<string>,
  idf: (term: string) => number,
  language: Language | null = null,
): TitleWord[] {
  const words = new Map<string, TitleWord>();
  let read = 0;
  for (const { start, end, terms } of tokenizeIn(title, language)) {
    read += 1;
    if (read > MAX_TITLE_WORDS) break;
    const [whole = '', ...parts] = terms;
    const weight = Math.max(...terms.map(idf));
    if (weight === 0 || words.has(whole)) continue;
    const written = title.slice(start, end);
    const isCoveredInParts =
      parts.length > 0 && !DOTTED_VERSION.test(whole) && parts.every((part) => said.has(part));
    const isCovered = said.has(whole) || isCoveredInParts;
    words.set(whole, {
      written,
      weight,
      isName: NAME_SIGN.test(written) || isTag(title, start, end),
      isCovered,
    });
  }
  return [...words.values()];
}

function isTag(title: string, start: number, end: number): boolean {
  return title[start - 1] === '[' && title[end] === ']';
}

/**
 * Returns the share of the title's weight that the other issue contains. Returns 1 for a title
 * without words.
 */
export function coverageOf(words: readonly TitleWord[]): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const covered = words.reduce((sum, { weight, isCovered }) => sum + (isCovered ? weight : 0), 0);
  return all === 0 ? 1 : covered / all;
}
