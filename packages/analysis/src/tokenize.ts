import { type Language, stemTerm, withoutElision } from './language.ts';
import { stem } from './stem.ts';

/** A word of a text, with its UTF-16 offsets and the terms by which it is compared. */
export interface Token {
  start: number;
  end: number;
  terms: readonly string[];
}

/** Maximum words of a title that are read. */
export const MAX_TITLE_WORDS = 64;
/** Maximum length of a term. Longer words are data, and are cut to this length. */
const MAX_TERM_CHARS = 64;
const MAX_WORD_CHARS = 400;
/** Maximum parts of a compound word. A longer one is data, and its first parts are enough. */
const MAX_PARTS = 12;

/** Scripts without spaces for which the segmenter has a dictionary. */
const SEGMENTED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々ﾞﾟ';
const HANGUL = '\\p{Script=Hangul}';
const UNSPACED = `${SEGMENTED}${HANGUL}`;
const WORD = /[\p{L}\p{N}\p{M}_]+(?:[.\-'’@#$/:]{1,2}[\p{L}\p{N}\p{M}_]+)*|\p{Extended_Pictographic}/gu;
/** Maximum letters that are segmented at once. */
const MAX_SEGMENTED_LETTERS = 500;
const SCRIPT_RUN = new RegExp(
  `[${SEGMENTED}][${SEGMENTED}\\p{M}]{0,${MAX_SEGMENTED_LETTERS}}|[${HANGUL}][${HANGUL}\\p{M}]*|[^${UNSPACED}]+`,
  'gu',
);
const SEGMENTED_LETTER = new RegExp(`[${SEGMENTED}]`, 'u');
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u');
const JOINERS = /[.\-'’@#$/:_]+/;
const VERSION_NUMBER = /^v?\d+(?:\.\d+)+(?:[.-][a-z0-9]+)*$/i;
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
/**
 * Matches Japanese particles and endings, and Chinese particles. Words of one or two hiragana are
 * almost always of this kind.
 */
const CJK_FUNCTION_WORD = /^(?:[\p{Script=Hiragana}ー]{1,2}|[的了是在和与也都就被把很着过])$/u;
/** For these scripts, the result of the segmenter does not depend on the locale. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
const COMBINING_ACCENT = /[\u0300-\u036f]/g;

/**
 * Yields the words of a text in order. Reads only the part of the text that the caller consumes.
 *
 * A word is a run of letters and digits of any script. Marks that join identifiers belong to it.
 * - A compound (`fs.s3a.FileSystem`, `commons-text`, `readAheadCount`) has the whole as its first
 *   term, and its parts as further terms.
 * - A version (`9.4.43`) has the whole and its major and minor version as terms.
 * - English words are stemmed.
 * - Text in scripts without spaces, such as Chinese, Japanese and Thai, is segmented into words. A
 *   word of three or more letters also has each pair of its letters as a term.
 * - In Korean, each pair of adjacent letters is a word, so words overlap.
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
      if (SEGMENTED_LETTER.test(run)) yield* segments(run, start);
      else if (UNSPACED_LETTER.test(run)) yield* letterPairs(run, start);
      else {
        const terms = spacedTerms(fold(run.slice(0, MAX_WORD_CHARS)));
        if (terms.length > 0) yield { start, end: start + run.length, terms };
      }
    }
  }
}

/**
 * Yields the words of a text in this language, without stop words. Each word has its stem as an
 * additional term. French `l’image` is read as `image`. Null means English, for which `tokenize`
 * already stems words.
 */
export function tokenizeIn(text: string, language: Language | null): Generator<Token> {
  return language === null ? tokenize(text) : stemmed(text, language);
}

function* stemmed(text: string, language: Language): Generator<Token> {
  for (const token of tokenize(text)) {
    const { word, terms, stem: stemOf } = readIn(text.slice(token.start, token.end), token.terms, language);
    if (language.isStopWord(word.toLowerCase())) continue;
    yield { ...token, terms: stemOf === null ? terms : [...terms, stemOf] };
  }
}

/**
 * Returns the stems of a word in several languages. `written` is the word in the text, and `terms`
 * are its terms from `tokenize`.
 */
export function stemsOf(
  written: string,
  terms: readonly string[],
  languages: readonly Language[],
): readonly string[] {
  return [...new Set(languages.flatMap((language) => readIn(written, terms, language).stem ?? []))];
}

/**
 * Removes an article that is joined to a word. Returns the word, its terms and its stem. A compound
 * has no stem.
 */
function readIn(
  written: string,
  writtenTerms: readonly string[],
  language: Language,
): { word: string; terms: readonly string[]; stem: string | null } {
  const word = withoutElision(written, language);
  const terms = word === written ? writtenTerms : spacedTerms(fold(word.slice(0, MAX_WORD_CHARS)));
  return { word, terms, stem: terms.length === 1 ? stemTerm(word, language) : null };
}

/** Returns the terms of the first `most` words of a text, in order and with repetitions. */
export function termsIn(text: string, most: number, language: Language | null = null): string[] {
  const terms: string[] = [];
  let words = 0;
  for (const token of tokenizeIn(text, language)) {
    if (words === most) break;
    for (const term of token.terms) terms.push(term);
    words += 1;
  }
  return terms;
}

/**
 * Unifies compatibility characters and removes Latin accents. Preserves case, which is needed to
 * split identifiers.
 */
function fold(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word;
  return word.normalize('NFKD').replace(COMBINING_ACCENT, '').normalize('NFKC');
}

/**
 * True if a text contains letters of a script without spaces, such as Chinese, Japanese or Thai.
 */
export function hasUnspacedWords(text: string): boolean {
  return SEGMENTED_LETTER.test(text);
}

/** True for Japanese particles and endings, and for Chinese particles. */
export function isFunctionWord(word: string): boolean {
  return CJK_FUNCTION_WORD.test(word);
}

/**
 * Yields the words of a text that contains no spaces, with their spelling and UTF-16 offsets.
 * Segments the parts in scripts without spaces. Each other part is one word.
 */
export function* segmentedWords(text: string): Generator<{ written: string; index: number }> {
  if (!hasUnspacedWords(text)) {
    yield { written: text, index: 0 };
    return;
  }
  for (const { 0: run, index } of text.matchAll(SCRIPT_RUN)) {
    if (!SEGMENTED_LETTER.test(run)) yield { written: run, index };
    else
      for (const { segment, index: within } of SEGMENTER.segment(run))
        yield { written: segment, index: index + within };
  }
}

function* segments(run: string, start: number): Generator<Token> {
  for (const { segment, index } of SEGMENTER.segment(run)) {
    const word = segment.normalize('NFKC');
    if (CJK_FUNCTION_WORD.test(word)) continue;
    const letters = Array.from(word).slice(0, MAX_PARTS + 1);
    const terms = [word.slice(0, MAX_TERM_CHARS).toWellFormed()];
    if (letters.length > 2) {
      for (const [at, letter] of letters.entries()) if (at > 0) terms.push(`${letters[at - 1]}${letter}`);
    }
    yield { start: start + index, end: start + index + segment.length, terms };
  }
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
  if (VERSION_NUMBER.test(word)) {
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
 * Adds the terms for a part of a compound, split at its capitals. Omits single letters and numbers.
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
