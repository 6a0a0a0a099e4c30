import { stem } from './stem.ts';

/** One word of a text: its UTF-16 offsets, and the terms under which it is found. */
export interface Token {
  start: number;
  end: number;
  terms: string[];
}

/** Maximum words of a title that are read. */
export const MAX_TITLE_WORDS = 64;
/** Maximum length of a term. Longer runs are data rather than words, and are cut to this length. */
const MAX_TERM_CHARS = 64;
const MAX_WORD_CHARS = 400;
/** Maximum parts of a compound. A longer one is a dump, which its first parts identify. */
const MAX_PARTS = 12;

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
const WORD = /[\p{L}\p{N}\p{M}_]+(?:[.\-'’@#$/:]{1,2}[\p{L}\p{N}\p{M}_]+)*|\p{Extended_Pictographic}/gu;
const SCRIPT_RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|[^${UNSPACED}]+`, 'gu');
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u');
const JOINERS = /[.\-'’@#$/:_]+/;
const VERSION = /^v?\d+(?:\.\d+)+(?:[.-][a-z0-9]+)*$/i;
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const COMBINING_ACCENT = /[\u0300-\u036f]/g;

/**
 * Yields the words of a text in order, lazily: the first hundred words of a megabyte are cheap.
 *
 * Words are runs of letters and digits of any script, joined over the marks that join identifiers.
 * A compound (`fs.s3a.FileSystem`, `commons-text`, `readAheadCount`) yields the whole as its first
 * term, and its parts. A version (`9.4.43`) yields the whole and its major and minor. English words
 * are stemmed. In scripts without spaces every pair of neighboring letters is a word, so words
 * overlap there.
 */
export function* tokenize(text: string): Generator<Token> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!UNSPACED_LETTER.test(word)) {
      const terms = spacedTerms(fold(word.slice(0, MAX_WORD_CHARS)));
      if (terms.length > 0) yield { start: index, end: index + word.length, terms };
      continue;
    }
    for (const { 0: run, index: within } of word.matchAll(SCRIPT_RUN)) {
      const start = index + within;
      if (UNSPACED_LETTER.test(run)) yield* letterPairs(run, start);
      else {
        const terms = spacedTerms(fold(run.slice(0, MAX_WORD_CHARS)));
        if (terms.length > 0) yield { start, end: start + run.length, terms };
      }
    }
  }
}

/** Returns the terms of the first `most` words of a text, in order, with repetitions. */
export function termsIn(text: string, most: number): string[] {
  const terms: string[] = [];
  let words = 0;
  for (const token of tokenize(text)) {
    if (words === most) break;
    for (const term of token.terms) terms.push(term);
    words += 1;
  }
  return terms;
}

/**
 * Unifies compatibility forms and drops Latin accents. Preserves case, which separates the parts of
 * identifiers.
 */
function fold(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word;
  return word.normalize('NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC');
}

function* letterPairs(run: string, start: number): Generator<Token> {
  let from = start;
  let before = '';
  for (const letter of run) {
    if (before !== '') {
      yield {
        start: from,
        end: from + before.length + letter.length,
        terms: [(before + letter).normalize('NFKC')],
      };
      from += before.length;
    }
    before = letter;
  }
  if (from === start && before !== '')
    yield { start, end: start + before.length, terms: [before.normalize('NFKC')] };
}

function spacedTerms(word: string): string[] {
  const whole = word.toLowerCase().slice(0, MAX_TERM_CHARS);
  if (VERSION.test(word)) {
    const numbers = whole.split('.');
    return numbers.length > 2 ? [whole, `${numbers[0]}.${numbers[1]}`] : [whole];
  }
  const parts = word.split(JOINERS).filter((part) => part !== '');
  if (parts.length === 0) return [];
  const terms = parts.length > 1 ? [whole] : [];
  for (const part of parts.slice(0, MAX_PARTS)) pushPart(terms, part, parts.length > 1);
  return terms;
}

/**
 * Adds a part of a compound, split at its capitals. Skips single letters and bare numbers inside a
 * compound.
 */
function pushPart(terms: string[], part: string, isInside: boolean): void {
  const lower = part.toLowerCase().slice(0, MAX_TERM_CHARS);
  const pieces = part.match(CAMEL_PART) ?? [part];
  if (pieces.length > 1) {
    terms.push(lower);
    for (const piece of pieces.slice(0, MAX_PARTS)) {
      if (piece.length > 1 && !/^\p{N}+$/u.test(piece)) terms.push(stem(piece.toLowerCase()));
    }
  } else if (part.length > 1 || !isInside) terms.push(stem(lower));
}
