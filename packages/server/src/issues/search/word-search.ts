import type { SearchItemType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import { termsOf } from '../search-index/document.ts';
import { fixedCondition, hasWords, type ParsedQuery, type QueryWord, wordCondition } from './query.ts';
import type { FoundItem, SearchFilter } from './store.ts';
import {
  type FoundByWords,
  findAllByIndex,
  findByWords,
  type RankedWords,
  type WordsCondition,
} from './word-index-store.ts';

/** Number of issues, and for each term the number of issues that contain it. */
export interface Frequencies {
  documents: number;
  occurrences: ReadonlyMap<string, number>;
}

/** Frequencies to use while the index is not loaded. */
export const UNKNOWN_FREQUENCIES: Frequencies = { documents: 0, occurrences: new Map() };

/** A word that occurs in more than this share of the issues is too common to be meaningful. */
const MIN_COMMON_SHARE = 0.2;
/**
 * Minimum occurrences of a common word, because the share alone means little in a small backlog.
 */
const MIN_COMMON_OCCURRENCES = 20;

/** True if a word occurs in too many issues to be meaningful. */
export function isCommon(term: string, { documents, occurrences }: Frequencies): boolean {
  return (occurrences.get(term) ?? 1) > Math.max(MIN_COMMON_OCCURRENCES, MIN_COMMON_SHARE * documents);
}

/**
 * Maximum distinct words that must all match. In a longer query, some matching words are enough.
 */
const MAX_REQUIRED_WORDS = 24;
/**
 * Minimum items that contain all words of a query. If there are fewer, items that contain some of
 * the rarest words are added.
 */
const MIN_COMPLETE_MATCHES = 10;
/** Maximum number of rarest words that are used for partial matches. */
const MAX_RARE_WORDS = 12;
/** Maximum number of items, in total, in which the words for partial matches may occur. */
const MAX_RARE_WORD_ITEMS = 2_000;
/**
 * Minimum words of a query from which rare stems are removed: stems that fewer than two issues
 * contain.
 */
const MIN_WORDS_WITH_KNOWN_STEMS = 3;
/** Number of groups into which the words of a query are divided for ranking. */
const RANK_GROUPS = 3;

/** A word search, with the frequencies of its words. */
export interface WordSearch {
  query: ParsedQuery;
  frequencies: Frequencies;
  filter: SearchFilter;
}

/**
 * Items found by words. `hasFew` is true if the query has several words, and too few items contain
 * all of them. Items that contain only some of the words are then useful.
 */
export interface FoundByAllWords extends FoundByWords {
  hasFew: boolean;
}

/**
 * Finds items that contain all words of a query, best first, at most `FETCH_LIMIT`. Phrases and
 * exclusions also apply.
 */
export async function findAllWords(db: Db, accountId: string, search: WordSearch): Promise<FoundByAllWords> {
  const { query, frequencies, filter } = search;
  const hasSeveralWords = query.words.length > 1;
  if (query.words.length > MAX_REQUIRED_WORDS || !hasWords(query) || filter.itemTypes.length === 0) {
    return { items: [], isAll: false, hasFew: hasSeveralWords };
  }
  // Searches for a frequent word only as a complete word, because searching for words that begin
  // with it would be slow.
  const words = query.words.map((word) => {
    return occurrencesOf(word, frequencies) > MAX_RARE_WORD_ITEMS ? { ...word, isPrefix: false } : word;
  });
  const condition = conditionOf(accountId, search, words, ' & ');
  const ranked = rankedBy([rarestWords(words, frequencies)], frequencies);
  const found = await findByWords(db, accountId, condition, ranked, filter);
  return { ...found, hasFew: hasSeveralWords && found.items.length < MIN_COMPLETE_MATCHES };
}

/**
 * If `all` has few items, appends items of the given types that contain some of the rarest words.
 * `isAll` refers only to the items with all words.
 */
export async function addPartialMatches(
  db: Db,
  accountId: string,
  search: WordSearch,
  all: FoundByAllWords,
  itemTypes: readonly SearchItemType[],
): Promise<FoundByAllWords> {
  if (!all.hasFew || itemTypes.length === 0) return all;
  const filter = { ...search.filter, itemTypes };
  const some = await findSomeWords(db, accountId, { ...search, filter });
  const known = new Set(all.items.map(({ id }) => id));
  return { ...all, items: [...all.items, ...some.filter(({ id }) => !known.has(id))] };
}

/** Finds items that contain some of the rarest words of a query, best first. */
export async function findSomeWords(db: Db, accountId: string, search: WordSearch): Promise<FoundItem[]> {
  const { query, frequencies, filter } = search;
  const ranked = rankedBy(inGroups(rarestWords(query.words, frequencies)), frequencies);
  const { items } = await findByWords(db, accountId, someWords(accountId, search), ranked, filter);
  return items;
}

/**
 * Finds all items that {@link findSomeWords} would find, and possibly more, in no particular order.
 * This is faster, because it reads no texts.
 */
export async function findSomeWordsUnordered(
  db: Db,
  accountId: string,
  search: WordSearch,
): Promise<FoundItem[]> {
  const condition = someWords(accountId, search);
  const all = await findAllByIndex(db, accountId, condition, search.filter);
  return all ?? findSomeWords(db, accountId, search);
}

function someWords(accountId: string, search: WordSearch): WordsCondition {
  const { query, frequencies } = search;
  // Searches only for complete words. If some matching words are enough, beginnings of words would
  // find too many items.
  const some = rareEnough(rarestWords(query.words, frequencies), frequencies).map((word) => ({
    ...word,
    isPrefix: false,
  }));
  return conditionOf(accountId, search, some, ' | ');
}

function conditionOf(
  accountId: string,
  { query, frequencies }: WordSearch,
  words: readonly QueryWord[],
  joint: ' & ' | ' | ',
): WordsCondition {
  const own = termsOf(accountId);
  const searched = withKnownStems(words, frequencies);
  const of = (beginning: string, fixed: string | null): string => {
    const loose = searched.map((word) => wordCondition(word, beginning)).join(joint);
    return [loose, fixed].flatMap((part) => (part ? [`(${part})`] : [])).join(' & ');
  };
  const { excluded } = query;
  const asWords = { phrases: query.phrases.flatMap((phrase) => phrase.map((word) => [word])), excluded };
  const isPhrase = query.phrases.some((phrase) => phrase.length > 1);
  return {
    anywhere: of(own.anywhere, fixedCondition(asWords, own.anywhere)),
    inTitle: of(own.inTitle, fixedCondition(asWords, own.inTitle, own.anywhere)),
    inLead: of('', fixedCondition(query, '')),
    phrases: isPhrase ? fixedCondition({ phrases: query.phrases, excluded: [] }, own.anywhere) : null,
  };
}

/**
 * Removes stems that fewer than two issues contain. In an English backlog, these are all stems in
 * other languages, and searching for them would take as long as searching for the words. A short
 * query keeps all its stems, because a single issue or a comment may contain them.
 */
export function withKnownStems(words: readonly QueryWord[], { occurrences }: Frequencies): QueryWord[] {
  if (words.length < MIN_WORDS_WITH_KNOWN_STEMS) return [...words];
  return words.map((word) => {
    // A frequency of 1 means that one issue or none contains the term.
    const stems = word.word.stems.filter((stem) => (occurrences.get(stem) ?? Number.POSITIVE_INFINITY) > 1);
    return { ...word, word: { ...word.word, stems } };
  });
}

/** Returns the words that distinguish items best, rarest first. */
function rarestWords(words: readonly QueryWord[], frequencies: Frequencies): QueryWord[] {
  return words
    .toSorted((one, other) => occurrencesOf(one, frequencies) - occurrencesOf(other, frequencies))
    .slice(0, MAX_RARE_WORDS);
}

/**
 * Returns the rarest words whose total number of items stays below the limit. Always returns at
 * least one word.
 */
function rareEnough(words: readonly QueryWord[], frequencies: Frequencies): QueryWord[] {
  let items = 0;
  return words.filter((word, index) => {
    items += occurrencesOf(word, frequencies);
    return index === 0 || items <= MAX_RARE_WORD_ITEMS;
  });
}

/**
 * Divides words into groups of similar weight, because ranking by each word separately would be too
 * slow.
 */
function inGroups(words: readonly QueryWord[]): QueryWord[][] {
  const size = Math.ceil(words.length / RANK_GROUPS);
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size),
  );
}

/**
 * Returns the condition and the weight of each group. PostgreSQL divides a rank by the number of
 * words, so the weight of a group is the sum over its words.
 */
function rankedBy(groups: readonly (readonly QueryWord[])[], frequencies: Frequencies): RankedWords[] {
  return groups.flatMap((words) =>
    words.length === 0
      ? []
      : [
          {
            anyOf: words.map((word) => wordCondition(withoutStems(word), '')).join(' | '),
            weight: words.reduce((sum, word) => sum + weightOf(word, frequencies), 0),
          },
        ],
  );
}

/**
 * Returns the word without its stems. PostgreSQL divides a rank by the number of terms, so stems
 * would change the rank of all texts.
 */
function withoutStems(word: QueryWord): QueryWord {
  return { ...word, word: { ...word.word, stems: [] } };
}

/**
 * Returns the weight of a word by its frequency n among N issues: 1 + ln((N + 1) / (n + 1)). The
 * similarity search uses the same weight.
 */
function weightOf(word: QueryWord, frequencies: Frequencies): number {
  const rarity = (frequencies.documents + 1) / (occurrencesOf(word, frequencies) + 1);
  return 1 + Math.max(0, Math.log(rarity));
}

function occurrencesOf({ term }: QueryWord, { occurrences }: Frequencies): number {
  return occurrences.get(term) ?? 1;
}
