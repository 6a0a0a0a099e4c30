import { FUNCTION_WORDS } from '../map/theme-names.ts';
import { MAX_TITLE_WORDS, tokenize } from '../tokenize.ts';

/** Minimum share of a cluster's titles that must contain its name. */
const MIN_TITLE_SHARE = 0.5;
/** Minimum number of titles that must contain the name of a cluster, whatever the share. */
const MIN_TITLES = 2;
/** Maximum words of a phrase. The minimum is two, because one word does not describe a cluster. */
const MAX_PHRASE_WORDS = 8;
const MAX_CLUSTER_NAME_CHARS = 72;
/**
 * Words that cannot end a phrase, because it would be incomplete. They cannot begin one, either.
 */
const LINKING_WORDS = new Set(
  'about after again also before between cannot could does during even only over should still under until using via were where which would'.split(
    ' ',
  ),
);
const HAS_LETTER = /\p{L}/u;
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['“', '”'],
  ['«', '»'],
] as const;
/**
 * Quotation marks with the same character for opening and closing. Between two letters, this
 * character is an apostrophe and does not match.
 */
const QUOTE = /(?<![\p{L}\p{N}])["'`]|["'`](?![\p{L}\p{N}])/gu;
/** Tags and areas before a title, such as “[api]” or “core:”. */
const LEADING_TAGS = /^(?:\[[^\]\n]{1,40}\]\s{0,9}|[\w./-]{1,30}:\s{1,9}){1,3}(?=\S)/;

interface TitleWord {
  start: number;
  end: number;
  term: string;
  /**
   * Weight of the word. Words of weight 0, such as “the” or “about”, neither begin nor end a
   * phrase.
   */
  weight: number;
}

interface Phrase {
  title: string;
  start: number;
  end: number;
  /** Indexes of the titles that contain the phrase. */
  titles: Set<number>;
  weight: number;
}

/**
 * Names a cluster. The name is the most distinctive phrase that at least half of its titles
 * contain. It is spelled as in the first of these titles. If no phrase qualifies, the name is the
 * title that shares the most words with the others. `idf` returns the weight of a term, as in
 * `explainPair`. Put the title of the canonical issue first.
 */
export function nameCluster(titles: readonly string[], idf: (term: string) => number): string {
  const read = titles.map((written) => {
    const title = written.replace(LEADING_TAGS, '');
    return { title, words: wordsOf(title, idf) };
  });
  const phrases = phrasesOf(read);
  const minimum = Math.max(MIN_TITLES, MIN_TITLE_SHARE * titles.length);
  let best: Phrase | null = null;
  for (const phrase of phrases.values()) {
    if (phrase.titles.size < minimum || (best !== null && worthOf(phrase) <= worthOf(best))) continue;
    if (isWhole(phrase)) best = phrase;
  }
  if (best !== null) return shortened(capitalized(best.title.slice(best.start, best.end)));
  return shortened(capitalized(mostTypical(read)));
}

function wordsOf(title: string, idf: (term: string) => number): TitleWord[] {
  const words: TitleWord[] = [];
  for (const { start, end, terms } of tokenize(title)) {
    if (words.length === MAX_TITLE_WORDS) break;
    const written = title.slice(start, end);
    const word = written.toLowerCase();
    const weighs = HAS_LETTER.test(word) && !FUNCTION_WORDS.has(word) && !LINKING_WORDS.has(word);
    words.push({ start, end, term: terms[0] ?? '', weight: weighs ? Math.max(...terms.map(idf)) : 0 });
  }
  return words;
}

/**
 * Returns the phrases of all titles by their terms. Each phrase begins and ends with a distinctive
 * word.
 */
function phrasesOf(read: readonly { title: string; words: readonly TitleWord[] }[]): Map<string, Phrase> {
  const phrases = new Map<string, Phrase>();
  for (const [place, { title, words }] of read.entries()) {
    for (const [from, first] of words.entries()) {
      if (first.weight === 0) continue;
      let [key, weight] = [first.term, first.weight];
      for (const last of words.slice(from + 1, from + MAX_PHRASE_WORDS)) {
        key = `${key} ${last.term}`;
        weight += last.weight;
        if (last.weight === 0) continue;
        const known = phrases.get(key);
        if (known !== undefined) known.titles.add(place);
        else {
          const titles = new Set([place]);
          phrases.set(key, { title, start: first.start, end: last.end, titles, weight });
        }
      }
    }
  }
  return phrases;
}

function worthOf({ titles, weight }: Phrase): number {
  return titles.size * weight;
}

/** True if all quotation marks and brackets of the phrase are in pairs. */
function isWhole({ title, start, end }: Phrase): boolean {
  const text = title.slice(start, end);
  const countOf = (mark: string) => text.split(mark).length - 1;
  if (BRACKETS.some(([open, close]) => countOf(open) !== countOf(close))) return false;
  const quotes = Map.groupBy(text.matchAll(QUOTE), ([mark]) => mark);
  return [...quotes.values()].every(({ length }) => length % 2 === 0);
}

/**
 * Returns the title whose words occur most often in the other titles. If two titles are equal in
 * this, returns the first.
 */
function mostTypical(read: readonly { title: string; words: readonly TitleWord[] }[]): string {
  const counts = new Map<string, number>();
  for (const { words } of read) {
    for (const term of new Set(words.map((word) => word.term))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  let best = { title: read[0]?.title ?? '', share: -1 };
  for (const { title, words } of read) {
    const all = words.reduce((sum, { weight }) => sum + weight, 0);
    const shared = words.reduce((sum, { term, weight }) => sum + weight * ((counts.get(term) ?? 1) - 1), 0);
    const share = all === 0 ? 0 : shared / all;
    if (share > best.share) best = { title, share };
  }
  return best.title;
}

function capitalized(phrase: string): string {
  // Names such as `fooBar` and `foo_bar` keep their spelling.
  const [word = ''] = phrase.split(/\s/, 1);
  return /^\p{Ll}+$/u.test(word) ? `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}` : phrase;
}

function shortened(name: string): string {
  const text = name.replace(/\s+/g, ' ').trim();
  if (text.length <= MAX_CLUSTER_NAME_CHARS) return text;
  const cut = text.slice(0, MAX_CLUSTER_NAME_CHARS - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), MAX_CLUSTER_NAME_CHARS >> 1))
    .toWellFormed()
    .trimEnd()}…`;
}
