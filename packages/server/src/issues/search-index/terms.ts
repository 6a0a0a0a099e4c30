import { type Language, languageOfIssue, languagesOfWord } from '@winnow/analysis/language';
import { normalized } from '@winnow/analysis/normalized';
import { stemsOf, type Token, tokenize } from '@winnow/analysis/tokenize';

const COMBINING_ACCENT = /[\u0300-\u036f]/g;
/** Maximum length of a term that the tokenizer returns. */
const MAX_WRITTEN_CHARS = 64;

/**
 * Returns a word in lower case and without accents. The unfinished last word of a query matches
 * words that begin with this form.
 */
function writtenForm(word: string): string {
  const plain = /^[\x20-\x7e]*$/.test(word)
    ? word
    : normalized(word, 'NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC');
  return plain.toLowerCase().slice(0, MAX_WRITTEN_CHARS);
}

/**
 * A word of a text, with all forms by which it is found: its terms, its written form and its stems.
 */
export interface Word extends Token {
  written: string;
  /** Stems in languages other than English. */
  stems: readonly string[];
}

/** Returns the languages, other than English, in which a word is stemmed. */
export type LanguagesOf = (word: string) => readonly Language[];

/** Yields the words of a text in order. Both indexed texts and queries use it. */
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
 * Returns a function for the words of an issue or comment, which are stemmed only in the language
 * detected for the whole item. Returns null for English.
 */
export function languagesIn(item: { title: string; body: string }): LanguagesOf | null {
  const language = languageOfIssue(item);
  if (language === null) return null;
  const languages = [language];
  return () => languages;
}
