import { stem } from './stem.ts';
import { hashTerm } from './term-hash.ts';
import { hasUnspacedWords, isFunctionWord, MAX_TITLE_WORDS, segmentedWords } from './tokenize.ts';

/**
 * The words of a title, by which siblings are detected. Siblings are issues with the same sentence
 * about different versions, modules or products.
 *
 * Each word is a 31-bit hash of its stem, shifted left by one bit. Words are in ascending order.
 * The lowest bit is 1 if the word names a particular thing. Such words are versions, numbers, parts
 * of identifiers, proper names and tags.
 */
export type TitleWords = Uint32Array;

const WORD = /[\p{L}\p{N}\p{M}]+(?:[._\-/:@#$+]{1,2}[\p{L}\p{N}\p{M}]+)*/gu;
const PART_JOINERS = /[_\-/:@#$+]+/;
const VERSION_PREFIX = /^v?(?=\d+\.\d)/i;
const CAMEL_CASE_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}]+/gu;
const NUMBERED_WORD = /^(\p{L}{2,})(\p{N}+)$/u;
const STARTS_WITH_CAPITAL = /^\p{Lu}/u;
const ABBREVIATION = /^\p{Lu}{2,}s?$/u;
const PLURAL_CAPITALS = /^(\p{Lu}{2,})s$/u;
const BEFORE_FIRST_WORD = /(?:^|[:.!?\]»–—-]\s*["'“‘(]?\s*)$/u;

/** Returns the hashes of the first 64 words of a title. */
export function titleWords(title: string): TitleWords {
  const words = readWords(title);
  return Uint32Array.from(words, ([hash, { isName }]) => hash * 2 + (isName ? 1 : 0)).sort();
}

/**
 * Part of a title. `written` is the whole word, and `isName` is true if the part names a particular
 * thing.
 */
interface TitlePart {
  written: string;
  isName: boolean;
}

/** Returns the parts of the first 64 words of a title, by the hash of their stem. */
function readWords(title: string): Map<number, TitlePart> {
  const found = wordsOf(title).slice(0, MAX_TITLE_WORDS);
  // In scripts without case, such as Chinese, a capitalized word is a name in any position.
  const isCaseless = hasUnspacedWords(title);
  const capitals = found.filter(({ word }) => STARTS_WITH_CAPITAL.test(word)).length;
  const isTitleCase = found.length > 3 && capitals * 3 >= found.length * 2;
  const parts = new Map<number, TitlePart>();
  for (const { word, index } of found) {
    const before = title.slice(Math.max(0, index - 4), index);
    const isTag = before.endsWith('[') && title[index + word.length] === ']';
    const isProper =
      STARTS_WITH_CAPITAL.test(word) && !isTitleCase && (isCaseless || !BEFORE_FIRST_WORD.test(before));
    for (const [part, isIdentifier] of partsOf(word)) {
      const hash = hashTerm(stem(part.toLowerCase())) % 0x8000_0000;
      const known = parts.get(hash);
      const isName = (known?.isName ?? false) || isIdentifier || isProper || isTag;
      parts.set(hash, { written: known?.written ?? word, isName });
    }
  }
  return parts;
}

/** Returns the words of a title with their offsets, without Chinese and Japanese particles. */
function wordsOf(title: string): { word: string; index: number }[] {
  return [...title.matchAll(WORD)].flatMap((match) =>
    [...segmentedWords(match[0])].flatMap(({ written, index }) =>
      isFunctionWord(written) ? [] : [{ word: written, index: match.index + index }],
    ),
  );
}

/**
 * True if two titles are the same sentence about different things. At least half of the words of
 * the shorter title must occur in both titles. Each title must name something that the other lacks.
 * Symmetric. False for equal titles, and if one title only adds words.
 */
export function areSiblings(a: TitleWords, b: TitleWords): boolean {
  const { shared, namesA, namesB } = compareTitles(a, b);
  return namesA && namesB && shared * 2 >= Math.min(a.length, b.length);
}

/**
 * Counts the words that occur in both titles. `namesA` is true if title `a` names something that
 * `b` lacks, and `namesB` the reverse.
 */
function compareTitles(a: TitleWords, b: TitleWords): { shared: number; namesA: boolean; namesB: boolean } {
  let [atA, atB, shared] = [0, 0, 0];
  let [namesA, namesB] = [false, false];
  while (atA < a.length || atB < b.length) {
    const [wordA, wordB] = [a[atA], b[atB]];
    const keyA = wordA === undefined ? Number.POSITIVE_INFINITY : wordA >>> 1;
    const keyB = wordB === undefined ? Number.POSITIVE_INFINITY : wordB >>> 1;
    if (keyA === keyB) shared += 1;
    else if (keyA < keyB) namesA ||= ((wordA ?? 0) & 1) === 1;
    else namesB ||= ((wordB ?? 0) & 1) === 1;
    if (keyA <= keyB) atA += 1;
    if (keyB <= keyA) atB += 1;
  }
  return { shared, namesA, namesB };
}

/** True if two titles are siblings; see `areSiblings`. Takes the texts of the titles. */
export function areSiblingTitles(a: string, b: string): boolean {
  return areSiblings(titleWords(a), titleWords(b));
}

/**
 * Returns, for each of two sibling titles, the first name that the other title lacks. Null if the
 * titles are not siblings; see `areSiblings`.
 */
export function siblingNames(a: string, b: string): [string, string] | null {
  if (!areSiblingTitles(a, b)) return null;
  const [partsA, partsB] = [readWords(a), readWords(b)];
  const [nameA, nameB] = [firstName(partsA, partsB), firstName(partsB, partsA)];
  return nameA === undefined || nameB === undefined ? null : [nameA, nameB];
}

function firstName(
  parts: ReadonlyMap<number, TitlePart>,
  other: ReadonlyMap<number, TitlePart>,
): string | undefined {
  return [...parts].find(([hash, { isName }]) => isName && !other.has(hash))?.[1].written;
}

/** Yields the parts of a word. The flag is true for parts of identifiers, versions and numbers. */
function* partsOf(word: string): Generator<[string, boolean]> {
  const joined = word
    .split(PART_JOINERS)
    .flatMap((part) => (VERSION_PREFIX.test(part) ? [part] : part.split('.')));
  for (const part of joined) {
    if (part === '') continue;
    const pieces = VERSION_PREFIX.test(part) ? [part.replace(VERSION_PREFIX, '')] : piecesOf(part);
    const isIdentifier = joined.length > 1 || pieces.length > 1 || ABBREVIATION.test(part);
    for (const piece of pieces) yield [piece, isIdentifier || /\p{N}/u.test(piece)];
  }
}

/**
 * Splits `JournalNode` and `JDK13`, so that they match "journal node" and "JDK 13". Does not split
 * `log4j2` and `S3A`. Shortens `PDFs` to `PDF`.
 */
function piecesOf(part: string): string[] {
  const one = PLURAL_CAPITALS.exec(part)?.[1];
  if (one !== undefined) return [one];
  const numbered = NUMBERED_WORD.exec(part);
  if (numbered !== null) return [...piecesOf(numbered[1] ?? ''), numbered[2] ?? ''];
  if (/\p{N}/u.test(part) || part.length > 100) return [part];
  return part.match(CAMEL_CASE_PART) ?? [part];
}
