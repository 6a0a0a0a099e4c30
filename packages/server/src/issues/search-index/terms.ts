import { languageOf, stemTerm } from '@winnow/analysis/language';
import { normalized } from '@winnow/analysis/normalized';
import { type Token, tokenize } from '@winnow/analysis/tokenize';

const COMBINING_ACCENT = /[\u0300-\u036f]/g;
/** Length of the longest term the tokenizer produces. */
const MAX_WRITTEN_CHARS = 64;

/**
 * Returns a word without case and accents. Prefixes of unfinished words are matched against this
 * form.
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

/**
 * Yields the words of a text in order. Used for both indexed texts and queries. `stemsIn` returns
 * the stems of a word in the language of the text.
 */
export function* wordsIn(
  text: string,
  stemsIn: ((word: string) => readonly string[]) | null = null,
): Generator<Word> {
  for (const token of tokenize(text)) {
    const word = text.slice(token.start, token.end);
    const stems = stemsIn !== null && token.terms.length === 1 ? stemsIn(word) : [];
    yield { ...token, written: writtenForm(word), stems };
  }
}

/** Returns the function that stems the words of a text in its language; null for English. */
export function stemsInLanguageOf(text: string): ((word: string) => readonly string[]) | null {
  const language = languageOf(text);
  if (language === null) return null;
  return (word) => {
    const stem = stemTerm(word, language);
    return stem === null ? [] : [stem];
  };
}
