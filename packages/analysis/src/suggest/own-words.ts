import { cleanWithErrors } from '../clean.ts';
import { termsIn, tokenize } from '../tokenize.ts';
import type { JudgedIssue } from '../verdict.ts';
import { isEverydayWord } from './distinctions.ts';
import { termsOf } from './merged-title.ts';

/**
 * Maximum words of a description that are read. The next constant is the maximum for compared
 * titles.
 */
const MAX_WORDS_READ = 600;
const MAX_COMPARED_TITLE_WORDS = 100;
/** Maximum words that are suggested for a title. */
const MAX_SUGGESTED_WORDS = 2;
/** Matches a word of 4 to 24 letters and hyphens. */
const WORD = /^\p{L}[\p{L}-]{3,23}$/u;

/** True if `other` contains all terms of `title`. */
export function isCoveredByTitle(title: string, other: string): boolean {
  const said = new Set(termsIn(other, MAX_COMPARED_TITLE_WORDS));
  return termsIn(title, MAX_COMPARED_TITLE_WORDS).every((term) => said.has(term));
}

/**
 * Returns the words with the highest weight in an issue's description that the other issue does not
 * contain. They are in the order of the text.
 */
export function ownWords(own: JudgedIssue, other: JudgedIssue, idf: (term: string) => number): string[] {
  const text = cleanWithErrors(own.body).text;
  const said = termsOf(other);
  const elsewhere = `${other.title}\n${other.body}`.toLowerCase();
  const found = new Map<string, { word: string; at: number; weight: number }>();
  let read = 0;
  for (const { start, end, terms } of tokenize(text)) {
    read += 1;
    if (read > MAX_WORDS_READ) break;
    const [term = ''] = terms;
    const word = text.slice(start, end);
    const isElsewhere = terms.some((one) => said.has(one)) || elsewhere.includes(word.toLowerCase());
    if (!WORD.test(word) || isEverydayWord(word) || isElsewhere) continue;
    const known = found.get(term) ?? { word, at: start, weight: 0 };
    found.set(term, { ...known, weight: known.weight + idf(term) });
  }
  return [...found.values()]
    .sort((one, two) => two.weight - one.weight || one.at - two.at)
    .slice(0, MAX_SUGGESTED_WORDS)
    .sort((one, two) => one.at - two.at)
    .map(({ word }) => word);
}
