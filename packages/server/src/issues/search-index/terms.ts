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
    : word.normalize('NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC');
  return plain.toLowerCase().slice(0, MAX_WRITTEN_CHARS);
}

/** A word of a text with all forms it matches: its terms and its written form. */
export interface Word extends Token {
  written: string;
}

/** Yields the words of a text in order. Used for both indexed texts and queries. */
export function* wordsIn(text: string): Generator<Word> {
  for (const token of tokenize(text)) {
    yield { ...token, written: writtenForm(text.slice(token.start, token.end)) };
  }
}
