import type { SearchItemType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import { termsOf } from './document.ts';
import { type FoundByWords, findByWords, type RankedWords, type WordsCondition } from './find-by-words.ts';
import { fixedCondition, hasWords, type ParsedQuery, type QueryWord, wordCondition } from './query.ts';
import type { SearchFilter } from './store.ts';

/** In how many of so many issues each word occurs, by its term. */
export interface Frequencies {
  documents: number;
  occurrences: ReadonlyMap<string, number>;
}

/** When nobody can tell. */
export const NOTHING_KNOWN: Frequencies = { documents: 0, occurrences: new Map() };

/** A word in more than this share of the issues says nothing of any… */
const COMMON_SHARE = 0.2;
/** …but in a small backlog a share is soon reached by chance. */
const COMMON_AT_LEAST = 20;

/** Whether a word is in so many issues that it says nothing of any. */
export function isCommon(term: string, { documents, occurrences }: Frequencies): boolean {
  return (occurrences.get(term) ?? 1) > Math.max(COMMON_AT_LEAST, COMMON_SHARE * documents);
}

/** No item has more different words than these by chance: of a longer query, some will do. */
const MOST_REQUIRED = 24;
/** With fewer items that have all the words, those that have some of the telling ones follow. */
const FEW = 10;
/** So many words say what a text is about… */
const MOST_TELLING = 12;
/** …as long as they are not in more items together. */
const MOST_ITEMS = 2_000;
/** What was found is put in order by so many groups of words. */
const RANK_GROUPS = 3;

/** A query to be answered by the index of words, and how often its words occur. */
export interface WordSearch {
  query: ParsedQuery;
  frequencies: Frequencies;
  filter: SearchFilter;
}

/**
 * Items that have all the words of a query, best first. Phrases and what is left out hold. At most one more than is
 * counted.
 */
async function findAllWords(
  db: Db,
  accountId: string,
  { query, frequencies, filter }: WordSearch,
): Promise<FoundByWords> {
  if (query.words.length > MOST_REQUIRED || !hasWords(query) || filter.itemTypes.length === 0) {
    return { items: [], isAll: false };
  }
  // A word that is in many items is complete; to look for all that begins like it takes long.
  const words = query.words.map((word) => {
    return occurrencesOf(word, frequencies) > MOST_ITEMS ? { ...word, isPrefix: false } : word;
  });
  const condition = conditionOf(accountId, query, words, ' & ');
  return findByWords(
    db,
    accountId,
    condition,
    rankedBy([tellingWords(words, frequencies)], frequencies),
    filter,
  );
}

/**
 * The same, and when these are few, items that have some of the telling words after them: of the types that
 * `alsoSomeOf` names; `isAll` then says nothing of those.
 */
export async function findWords(
  db: Db,
  accountId: string,
  search: WordSearch,
  alsoSomeOf: readonly SearchItemType[],
): Promise<FoundByWords> {
  const { query, frequencies } = search;
  const all = await findAllWords(db, accountId, search);
  if (all.items.length >= FEW || query.words.length < 2 || alsoSomeOf.length === 0) return all;
  const telling = tellingWords(query.words, frequencies);
  // Where some of the words are enough, what only begins like one of them is too little.
  const some = rareEnough(telling, frequencies).map((word) => ({ ...word, isPrefix: false }));
  const condition = conditionOf(accountId, query, some, ' | ');
  const ranked = rankedBy(inGroups(telling), frequencies);
  const filter = { ...search.filter, itemTypes: alsoSomeOf };
  const more = await findByWords(db, accountId, condition, ranked, filter);
  const known = new Set(all.items.map(({ id }) => id));
  return { items: [...all.items, ...more.items.filter(({ id }) => !known.has(id))], isAll: all.isAll };
}

function conditionOf(
  accountId: string,
  query: ParsedQuery,
  words: readonly QueryWord[],
  joint: ' & ' | ' | ',
): WordsCondition {
  const own = termsOf(accountId);
  const of = (beginning: string, fixed: string | null): string => {
    const loose = words.map((word) => wordCondition(word, beginning)).join(joint);
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

/** The words by which items are told apart, the rarest first. */
function tellingWords(words: readonly QueryWord[], frequencies: Frequencies): QueryWord[] {
  return words
    .toSorted((one, other) => occurrencesOf(one, frequencies) - occurrencesOf(other, frequencies))
    .slice(0, MOST_TELLING);
}

/** As many of the words, the rarest first, as are not in too many items; always one. */
function rareEnough(words: readonly QueryWord[], frequencies: Frequencies): QueryWord[] {
  let items = 0;
  return words.filter((word, index) => {
    items += occurrencesOf(word, frequencies);
    return index === 0 || items <= MOST_ITEMS;
  });
}

/** Words of like weight together: to weigh every word alone takes the database too long. */
function inGroups(words: readonly QueryWord[]): QueryWord[][] {
  const size = Math.ceil(words.length / RANK_GROUPS);
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size),
  );
}

/** Each group weighs what its words weigh on average, as often as it has words, over which the database divides. */
function rankedBy(groups: readonly (readonly QueryWord[])[], frequencies: Frequencies): RankedWords[] {
  return groups.flatMap((words) =>
    words.length === 0
      ? []
      : [
          {
            anyOf: words.map((word) => wordCondition(word, '')).join(' | '),
            weight: words.reduce((sum, word) => sum + weightOf(word, frequencies), 0),
          },
        ],
  );
}

/** As in the similarity: 1 + ln((N + 1) / (n + 1)). */
function weightOf(word: QueryWord, frequencies: Frequencies): number {
  const rarity = (frequencies.documents + 1) / (occurrencesOf(word, frequencies) + 1);
  return 1 + Math.max(0, Math.log(rarity));
}

function occurrencesOf({ term }: QueryWord, { occurrences }: Frequencies): number {
  return occurrences.get(term) ?? 1;
}
