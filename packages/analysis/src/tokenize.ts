import { stem } from './stem.ts';

/** One word of a text: where it stands, in UTF-16 offsets, and the terms under which it is found. */
export interface Token {
  start: number;
  end: number;
  terms: string[];
}

/** A longer run without a break is data, not a word: it counts under its first characters. */
const LONGEST_TERM = 64;
const LONGEST_WORD = 400;
/** A compound of more parts is a dump; the first ones name it. */
const MOST_PARTS = 12;

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
 * The words of a text in order, lazily, so that reading the first hundred of a megabyte costs a hundred.
 *
 * Words are runs of letters and digits of any script, joined over the marks that join identifiers. A compound
 * (`fs.s3a.FileSystem`, `commons-text`, `readAheadCount`) is found as a whole, its first term, and by its parts; a
 * version (`9.4.43`) whole and by major and minor; English words by their stem. In scripts written without spaces every
 * pair of neighboring letters is a word, so that words overlap there.
 */
export function* tokenize(text: string): Generator<Token> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!UNSPACED_LETTER.test(word)) {
      const terms = spacedTerms(fold(word.slice(0, LONGEST_WORD)));
      if (terms.length > 0) yield { start: index, end: index + word.length, terms };
      continue;
    }
    for (const { 0: run, index: within } of word.matchAll(SCRIPT_RUN)) {
      const start = index + within;
      if (UNSPACED_LETTER.test(run)) yield* letterPairs(run, start);
      else {
        const terms = spacedTerms(fold(run.slice(0, LONGEST_WORD)));
        if (terms.length > 0) yield { start, end: start + run.length, terms };
      }
    }
  }
}

/** The terms of the first `most` words of a text, in order, repeats kept. */
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

/** Compatibility forms unified, Latin accents dropped; case is kept, since it separates the parts of identifiers. */
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
  const whole = word.toLowerCase().slice(0, LONGEST_TERM);
  if (VERSION.test(word)) {
    const numbers = whole.split('.');
    return numbers.length > 2 ? [whole, `${numbers[0]}.${numbers[1]}`] : [whole];
  }
  const parts = word.split(JOINERS).filter((part) => part !== '');
  if (parts.length === 0) return [];
  const terms = parts.length > 1 ? [whole] : [];
  for (const part of parts.slice(0, MOST_PARTS)) pushPart(terms, part, parts.length > 1);
  return terms;
}

/** A part of a compound, and what its capitals separate; lone letters and bare numbers inside say nothing. */
function pushPart(terms: string[], part: string, isInside: boolean): void {
  const lower = part.toLowerCase().slice(0, LONGEST_TERM);
  const pieces = part.match(CAMEL_PART) ?? [part];
  if (pieces.length > 1) {
    terms.push(lower);
    for (const piece of pieces.slice(0, MOST_PARTS)) {
      if (piece.length > 1 && !/^\p{N}+$/u.test(piece)) terms.push(stem(piece.toLowerCase()));
    }
  } else if (part.length > 1 || !isInside) terms.push(stem(lower));
}
