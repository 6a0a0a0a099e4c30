import { type Language, languageOfIssue, languagesOfWord } from '@winnow/analysis/language';
import { normalized } from '@winnow/analysis/normalized';
import { stemsOf, type Token, tokenize } from '@winnow/analysis/tokenize';

const COMBINING_ACCENT = /[\u0300-\u036f]/g;
/** Length of the longest term the tokenizer produces. */
const MAX_WRITTEN_CHARS = 64;

/**
 * Returns a word without case and accents. An unfinished word of a query matches the beginning of
 * this form.
 */
function writtenForm(word: string): string {
  const plain = /^[\x20-\x7e]*$/.test(word)
    ? word
    : normalized(word, 'NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC');
  return plain.toLowerCase().slice(0, MAX_WRITTEN_CHARS);
}

/** A word of a text with all forms it matches: its terms, its written form and its stems. */
export interface Word extends Token {
  written: string;
  /** Stems in other languages than English. */
  stems: readonly string[];
}

/** Function that returns the languages, other than English, in which a word is stemmed. */
export type LanguagesOf = (word: string) => readonly Language[];

/** Yields the words of a text in order. Used for both indexed texts and queries. */
export function* wordsIn(text: string, languagesOf: LanguagesOf | null = null): Generator<Word> {
  for (const token of tokenize(text)) {
    const word = text.slice(token.start, token.end);
    const stems = languagesOf === null ? [] : stemsOf(word, token.terms, languagesOf(word));
    yield { ...token, written: writtenForm(word), stems };
  }
}

/** Returns the languages in which a word of a query is stemmed. */
export const languagesOfQuery: LanguagesOf = languagesOfWord;

/**
 * Returns the languages in which the words of an issue or comment are stemmed. That is only the
 * language detected for the whole item. Null for English.
 */
export function languagesIn(item: { title: string; body: string }): LanguagesOf | null {
  const language = languageOfIssue(item);
  if (language === null) return null;
  const languages = [language];
  return () => languages;
}
