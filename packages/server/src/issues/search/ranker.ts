import { SIMILARITY } from '@winnow/contract/duplicate';
import { MOST_COUNTED, type SearchItemType, type SearchType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import { searchedText, textsOf } from './compared-texts.ts';
import { termsOf } from './document.ts';
import { keepMatching } from './find-by-words.ts';
import { fuseRanks } from './fusion.ts';
import { fixedCondition, hasWords, type ParsedQuery } from './query.ts';
import type { FoundItem, SearchFilter } from './store.ts';
import { type Frequencies, findWords, NOTHING_KNOWN, type WordSearch } from './words.ts';

/** An item that was found, with its similarity if that is known. */
export type RankedItem = FoundItem & { similarity?: number };

/** What a query finds, best first, and what is said of it; at most one more of each kind of search than is counted. */
export interface Ranking {
  items: RankedItem[];
  notice: string | null;
  frequencies: Frequencies;
}

/** Comments and change requests compared with a query, the best by their words. */
const MOST_COMPARED = 100;
const BUSY = 'Found by words alone: the index of similar issues is still being loaded.';

/** Puts what is found by words and by similarity in one order. */
export class Ranker {
  readonly #db: Db;
  readonly #engine: Engine;

  constructor(options: { db: Db; engine: Engine }) {
    this.#db = options.db;
    this.#engine = options.engine;
  }

  /** Everything that a query finds. */
  async rank(
    accountId: string,
    query: ParsedQuery,
    filter: SearchFilter,
    searchType: SearchType,
  ): Promise<Ranking> {
    if (!hasWords(query)) return { items: [], notice: null, frequencies: NOTHING_KNOWN };
    const frequencies = await this.#frequencies(accountId, query);
    const ranking = await this.#rankBy(accountId, { query, frequencies, filter }, searchType);
    return { ...ranking, frequencies: frequencies ?? NOTHING_KNOWN };
  }

  async #rankBy(
    accountId: string,
    { query, frequencies, filter }: Omit<WordSearch, 'frequencies'> & { frequencies: Frequencies | null },
    searchType: SearchType,
  ): Promise<Omit<Ranking, 'frequencies'>> {
    const words = { query, frequencies: frequencies ?? NOTHING_KNOWN, filter };
    const byWordsAlone = () => findWords(this.#db, accountId, words, filter.itemTypes);
    if (searchType === 'fulltext') return { items: await byWordsAlone(), notice: null };
    if (frequencies === null) return { items: await byWordsAlone(), notice: BUSY };
    // Issues that have some of the words are found by similarity, and in a better order.
    const othersAlone = { ...filter, itemTypes: without(filter.itemTypes, 'issue') };
    const sought = searchType === 'similarity' ? { ...words, filter: othersAlone } : words;
    const [found, near] = await Promise.all([
      findWords(this.#db, accountId, sought, othersAlone.itemTypes),
      this.#nearest(accountId, query, filter),
    ]);
    if (near === null) return { items: await byWordsAlone(), notice: BUSY };
    const others = await this.#compareOthers(accountId, query, found);
    const similar = [...near.items, ...others].sort(bySimilarity);
    const { notice } = near;
    if (searchType === 'similarity') return { items: similar, notice };
    const similarityOf = new Map(similar.map(({ id, similarity }) => [id, similarity]));
    const items = fuseRanks<FoundItem>([similar, found]).map((item) => {
      const similarity = similarityOf.get(item.id);
      return similarity === undefined ? item : { ...item, similarity };
    });
    return { items, notice };
  }

  async #frequencies(accountId: string, query: ParsedQuery): Promise<Frequencies | null> {
    const terms = query.words.map(({ term }) => term);
    const answer = await this.#engine.call('frequencies', { accountId, terms });
    return (
      answer && {
        documents: answer.documents,
        occurrences: new Map(terms.map((term, index) => [term, answer.occurrences[index] ?? 1])),
      }
    );
  }

  /** Issues by similarity; null when the index is not loaded. Phrases and what is left out hold for them, too. */
  async #nearest(accountId: string, query: ParsedQuery, filter: SearchFilter) {
    if (!filter.itemTypes.includes('issue')) return { items: [], notice: null };
    const answer = await this.#engine.call('search', {
      accountId,
      text: searchedText(query),
      filter: {
        projectIds: filter.projectIds === null ? null : [...filter.projectIds],
        state: filter.status === 'all' ? null : filter.status,
      },
      limit: MOST_COUNTED + 1,
      floor: SIMILARITY.stored,
    });
    if (answer === null) return null;
    const items = answer.results.map(({ issueId: id, similarity }) => ({
      id,
      itemType: 'issue' as const,
      similarity,
    }));
    const fixed = fixedCondition(query, termsOf(accountId).anywhere);
    if (fixed === null) return { items, notice: answer.notice };
    const ids = items.map(({ id }) => id);
    const holds = await keepMatching(this.#db, accountId, ids, fixed);
    return { items: items.filter(({ id }) => holds.has(id)), notice: answer.notice };
  }

  /** What has no vector is compared by words: the best of it by its words. */
  async #compareOthers(accountId: string, query: ParsedQuery, found: readonly FoundItem[]) {
    const others = found.filter(({ itemType }) => itemType !== 'issue').slice(0, MOST_COMPARED);
    if (others.length === 0) return [];
    const texts = await textsOf(this.#db, accountId, others);
    const similarities = await this.#engine.call('compare', {
      accountId,
      text: searchedText(query),
      others: others.map(({ id }) => texts.get(id) ?? { title: '', body: '' }),
    });
    return others
      .map((item, index) => ({ ...item, similarity: similarities?.[index] ?? 0 }))
      .filter(({ similarity }) => similarity >= SIMILARITY.stored);
  }
}

function without(types: readonly SearchItemType[], left: SearchItemType): SearchItemType[] {
  return types.filter((type) => type !== left);
}

function bySimilarity(
  one: { id: string; similarity: number },
  other: { id: string; similarity: number },
): number {
  return other.similarity - one.similarity || (one.id < other.id ? -1 : 1);
}
