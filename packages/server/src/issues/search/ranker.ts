import { SIMILARITY } from '@winnow/contract/duplicate';
import { MOST_COUNTED, type SearchItemType, type SearchType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import { searchedText, textsOf } from './compared-texts.ts';
import { termsOf } from './document.ts';
import { type FoundByWords, keepMatching } from './find-by-words.ts';
import { fuseRanks } from './fusion.ts';
import { fixedCondition, hasWords, type ParsedQuery } from './query.ts';
import type { FoundItem, SearchFilter } from './store.ts';
import { type Frequencies, findWords, NOTHING_KNOWN } from './words.ts';

/** An item that was found, with its similarity if that is known. */
export type RankedItem = FoundItem & { similarity?: number };

type SimilarItem = FoundItem & { similarity: number };

interface Sought {
  query: ParsedQuery;
  filter: SearchFilter;
  /** Until then words are not found that came in just now. */
  whenIndexed: Promise<unknown>;
}

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

  /** Everything that a query finds; by words once `whenIndexed` is over. */
  async rank(
    accountId: string,
    query: ParsedQuery,
    filter: SearchFilter,
    { searchType, whenIndexed }: { searchType: SearchType; whenIndexed: Promise<unknown> },
  ): Promise<Ranking> {
    if (!hasWords(query)) return { items: [], notice: null, frequencies: NOTHING_KNOWN };
    const sought = { query, filter, whenIndexed };
    if (searchType === 'fulltext') {
      const { items, frequencies } = await this.#findWords(accountId, sought, filter.itemTypes);
      return { items, notice: null, frequencies };
    }
    // Issues that have some of the words are found by similarity, and in a better order.
    const others = without(filter.itemTypes, 'issue');
    const byWords =
      searchType === 'similarity' ? { ...sought, filter: { ...filter, itemTypes: others } } : sought;
    const finding = this.#findWords(accountId, byWords, others);
    const [{ items: found, frequencies }, near] = await Promise.all([
      finding,
      this.#nearest(accountId, sought, byWords === sought && query.words.length === 0 ? finding : null),
    ]);
    if (near === null) {
      const words = { query, frequencies, filter };
      const { items } = await findWords(this.#db, accountId, words, filter.itemTypes);
      return { items, notice: BUSY, frequencies };
    }
    const { notice } = near;
    const similar = await this.#withOthers(accountId, query, near.items, found);
    if (searchType === 'similarity') return { items: similar, notice, frequencies };
    const similarityOf = new Map(similar.map(({ id, similarity }) => [id, similarity]));
    const items = fuseRanks<FoundItem>([similar, found]).map((item) => {
      const similarity = similarityOf.get(item.id);
      return similarity === undefined ? item : { ...item, similarity };
    });
    return { items, notice, frequencies };
  }

  async #findWords(
    accountId: string,
    { query, filter, whenIndexed }: Sought,
    alsoSomeOf: readonly SearchItemType[],
  ): Promise<FoundByWords & { frequencies: Frequencies }> {
    const [frequencies] = await Promise.all([this.#frequencies(accountId, query), whenIndexed]);
    const found = await findWords(this.#db, accountId, { query, frequencies, filter }, alsoSomeOf);
    return { ...found, frequencies };
  }

  async #frequencies(accountId: string, query: ParsedQuery): Promise<Frequencies> {
    const terms = query.words.map(({ term }) => term);
    const answer = await this.#engine.call('frequencies', { accountId, terms });
    if (answer === null) return NOTHING_KNOWN;
    return {
      documents: answer.documents,
      occurrences: new Map(terms.map((term, index) => [term, answer.occurrences[index] ?? 1])),
    };
  }

  /**
   * Issues by similarity; null when the index is not loaded. Phrases and what is left out hold for them, too: `finding`
   * knows for which, where it looks for nothing else and finds all of them; else each of them is read.
   */
  async #nearest(
    accountId: string,
    { query, filter, whenIndexed }: Sought,
    finding: Promise<FoundByWords> | null,
  ) {
    if (!filter.itemTypes.includes('issue')) return { items: [], notice: null };
    const answer = await this.#engine.call('search', {
      accountId,
      text: searchedText(query),
      filter: {
        projectIds: filter.projectIds === null ? null : [...filter.projectIds],
        state: filter.status === 'all' ? null : filter.status,
        issueIds: filter.issueIds === null ? null : [...filter.issueIds],
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
    await whenIndexed;
    const found = await finding;
    const holds = found?.isAll
      ? new Set(found.items.map(({ id }) => id))
      : await keepMatching(
          this.#db,
          accountId,
          items.map(({ id }) => id),
          fixed,
        );
    return { items: items.filter(({ id }) => holds.has(id)), notice: answer.notice };
  }

  /** The issues with the rest of what was found in its place: what has no vector is compared by words, the best by them. */
  async #withOthers(
    accountId: string,
    query: ParsedQuery,
    issues: SimilarItem[],
    found: readonly FoundItem[],
  ): Promise<SimilarItem[]> {
    const others = found.filter(({ itemType }) => itemType !== 'issue').slice(0, MOST_COMPARED);
    if (others.length === 0) return issues;
    const texts = await textsOf(this.#db, accountId, others);
    const similarities = await this.#engine.call('compare', {
      accountId,
      text: searchedText(query),
      others: others.map(({ id }) => texts.get(id) ?? { title: '', body: '' }),
    });
    const compared = others
      .map((item, index) => ({ ...item, similarity: similarities?.[index] ?? 0 }))
      .filter(({ similarity }) => similarity >= SIMILARITY.stored);
    return [...issues, ...compared].sort(bySimilarity);
  }
}

function without(types: readonly SearchItemType[], left: SearchItemType): SearchItemType[] {
  return types.filter((type) => type !== left);
}

function bySimilarity(one: SimilarItem, other: SimilarItem): number {
  return other.similarity - one.similarity || (one.id < other.id ? -1 : 1);
}
