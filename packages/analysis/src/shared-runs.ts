import { CONTENT_CHARACTER } from './clean.ts';
import type { Language } from './language.ts';
import { maskedMarkup, withoutLineMark } from './markup.ts';
import { isTraceLine } from './stack-lines.ts';
import { isTemplateLine } from './template-lines.ts';
import { hashTerm } from './term-hash.ts';
import { tokenizeIn } from './tokenize.ts';

/**
 * The words of a description, one array per field. `opens[i]` is true if text was omitted before
 * word i.
 */
export interface CountedWords {
  starts: number[];
  ends: number[];
  keys: number[];
  weights: number[];
  opens: boolean[];
}

/**
 * A sequence of words that occurs in two texts. `first` and `second` are its start in each text,
 * `length` is in words, and `weight` is the sum of its weights.
 */
export interface SharedRun {
  first: number;
  second: number;
  length: number;
  weight: number;
}

/**
 * Maximum positions in the first text that are compared with a position in the second. Limits the
 * time for repetitive texts.
 */
const MAX_PLACES = 16;

/**
 * Minimum weight of a single word that counts as a common passage. A word in no issue has weight 1.
 */
export const MIN_SINGLE_WORD_WEIGHT = 0.75;

/**
 * Returns the first `most` words of a description with their offsets. Omits form texts, stack
 * traces and comments. `weightOf` returns the weight of a word from its terms.
 */
export function countedWords(
  body: string,
  most: number,
  weightOf: (terms: readonly string[]) => number,
  language: Language | null = null,
): CountedWords {
  const words: CountedWords = { starts: [], ends: [], keys: [], weights: [], opens: [] };
  let isOpen = true;
  for (const { text, offset } of lines(maskedMarkup(body))) {
    if (isTraceLine(text) || isTemplateLine(withoutLineMark(text), text)) {
      isOpen = true;
      continue;
    }
    for (const { start, end, terms } of tokenizeIn(text, language)) {
      if (words.keys.length === most) return words;
      words.starts.push(offset + start);
      words.ends.push(offset + end);
      words.keys.push(hashTerm(terms[0] ?? ''));
      words.weights.push(weightOf(terms));
      words.opens.push(isOpen);
      isOpen = false;
    }
  }
  return words;
}

/**
 * Returns the longest sequences of words that occur in both texts, highest weight first. They do
 * not overlap. Single words are included only if they are distinctive. Sequences of equal weight
 * keep the order of the first text.
 */
export function sharedRuns(first: CountedWords, second: CountedWords): SharedRun[] {
  const places = new Map<number, number[]>();
  for (let at = 0; at < first.keys.length; at += 1) {
    const seed = seedAt(first, at);
    const known = seed === null ? [] : places.get(seed);
    if (seed !== null && known === undefined) places.set(seed, [at]);
    else if (known !== undefined && known.length < MAX_PLACES) known.push(at);
  }
  const runs: SharedRun[] = [];
  for (let at = 0; at < second.keys.length; at += 1) {
    const seed = seedAt(second, at);
    for (const place of seed === null ? [] : (places.get(seed) ?? [])) {
      if (continues(first, place, second, at)) continue;
      const run = runFrom(first, place, second, at);
      if (run.length > 1 || run.weight >= MIN_SINGLE_WORD_WEIGHT) runs.push(run);
    }
  }
  runs.sort((a, b) => b.weight - a.weight || a.first - b.first || a.second - b.second);
  return withoutOverlaps(runs, first.keys.length, second.keys.length);
}

/**
 * Returns the hash by which common sequences are found at this position. It is the hash of a
 * distinctive word, or else of two consecutive words. Null if the word is not distinctive and no
 * word follows it.
 */
function seedAt(words: CountedWords, at: number): number | null {
  const key = words.keys[at] ?? 0;
  if ((words.weights[at] ?? 0) >= MIN_SINGLE_WORD_WEIGHT) return key;
  if (at + 1 >= words.keys.length || words.opens[at + 1] === true) return null;
  return key + (words.keys[at + 1] ?? 0) * 1.000_001;
}

function continues(first: CountedWords, place: number, second: CountedWords, at: number): boolean {
  if (place === 0 || at === 0 || first.opens[place] === true || second.opens[at] === true) return false;
  return first.keys[place - 1] === second.keys[at - 1];
}

function runFrom(first: CountedWords, place: number, second: CountedWords, at: number): SharedRun {
  const run = { first: place, second: at, length: 0, weight: 0 };
  for (;;) {
    const [a, b] = [place + run.length, at + run.length];
    if (a >= first.keys.length || b >= second.keys.length || first.keys[a] !== second.keys[b]) return run;
    if (run.length > 0 && (first.opens[a] === true || second.opens[b] === true)) return run;
    run.weight += first.weights[a] ?? 0;
    run.length += 1;
  }
}

function withoutOverlaps(runs: readonly SharedRun[], firstLength: number, secondLength: number): SharedRun[] {
  const [inFirst, inSecond] = [new Uint8Array(firstLength), new Uint8Array(secondLength)];
  return runs.filter((run) => {
    const [a, b] = [run.first + run.length, run.second + run.length];
    if (inFirst.subarray(run.first, a).includes(1) || inSecond.subarray(run.second, b).includes(1))
      return false;
    inFirst.fill(1, run.first, a);
    inSecond.fill(1, run.second, b);
    return true;
  });
}

/** Yields the lines that have content, with their offsets. */
function* lines(text: string): Generator<{ text: string; offset: number }> {
  let offset = 0;
  while (offset < text.length) {
    const end = text.indexOf('\n', offset);
    const line = text.slice(offset, end < 0 ? text.length : end);
    if (CONTENT_CHARACTER.test(line)) yield { text: line, offset };
    if (end < 0) return;
    offset = end + 1;
  }
}
