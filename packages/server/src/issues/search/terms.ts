import { type Token, tokenize } from '@winnow/analysis/tokenize';

const COMBINING_ACCENT = /[\u0300-\u036f]/g;
/** As long as the longest term that the tokenizer makes. */
const LONGEST_WRITTEN = 64;

/** A word as it is written, case and accents apart: what somebody who has not finished a word has typed of it. */
function writtenForm(word: string): string {
  const plain = /^[\x20-\x7e]*$/.test(word)
    ? word
    : word.normalize('NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC');
  return plain.toLowerCase().slice(0, LONGEST_WRITTEN);
}

/** A word of a text with everything it is found by: its terms, and the form in which it is written. */
export interface Word extends Token {
  written: string;
}

/** The words of a text in order, lazily. They are the same for what is searched and for what is searched for. */
export function* wordsIn(text: string): Generator<Word> {
  for (const token of tokenize(text)) {
    yield { ...token, written: writtenForm(text.slice(token.start, token.end)) };
  }
}
