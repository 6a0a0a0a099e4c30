import { SIMILARITY } from '@winnow/contract/duplicate';
import { MAX_COUNTED_RESULTS, type SearchItemType, type SearchType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import { termsOf } from '../search-index/document.ts';
import { fuseRanks } from './fusion.ts';
import { fixedCondition, hasWords, type ParsedQuery } from './query.ts';
import { searchedText, textsOf } from './search-text.ts';
import type { FoundItem, SearchFilter } from './store.ts';
import { type FoundByWords, filterMatching } from './word-index-store.ts';
import {
  addPartialMatches,
  type FoundByAllWords,
  type Frequencies,
  findAllWords,
  findSomeWords,
  findSomeWordsUnordered,
  UNKNOWN_FREQUENCIES,
} from './word-search.ts';

/** An item that a search found. Includes the similarity if it is known. */
export type RankedItem = FoundItem & { similarity?: number };

/** Items that contain all words of the query, and the frequencies of these words. */
type CompleteMatches = FoundByAllWords & { frequencies: Frequencies };

type SimilarItem = FoundItem & { similarity: number };

interface RankRequest {
  query: ParsedQuery;
  filter: SearchFilter;
  /** Resolves when recently changed texts are indexed, so that the word search can find them. */
  whenIndexed: Promise<unknown>;
}

/**
 * Results of a query, best first. The word search and the similarity search add at most
 * `FETCH_LIMIT` items each.
 */
export interface Ranking {
  items: RankedItem[];
  notice: string | null;
  frequencies: Frequencies;
}

/**
 * Maximum comments and change requests for which the similarity to a query is computed. These are
 * the best results of the word search.
 */
const MAX_COMPARED_ITEMS = 100;
const INDEX_LOADING_NOTICE = 'Only words were searched: the similarity index is still loading.';

/** Combines the results of the word search and the similarity search into one ranking. */
export class Ranker {
  readonly #db: Db;
  readonly #engine: Engine;

  constructor(options: { db: Db; engine: Engine }) {
    this.#db = options.db;
    this.#engine = options.engine;
  }

  /**
   * Returns all results of a query. Only the first `shown` results are ranked; the order of further
   * results is undefined. The word search waits for `whenIndexed`.
   */
  async rank(
    accountId: string,
    query: ParsedQuery,
    filter: SearchFilter,
    {
      searchType,
      whenIndexed,
      shown,
    }: { searchType: SearchType; whenIndexed: Promise<unknown>; shown: number },
  ): Promise<Ranking> {
    if (!hasWords(query)) return { items: [], notice: null, frequencies: UNKNOWN_FREQUENCIES };
    const sought = { query, filter, whenIndexed };
    if (searchType === 'fulltext') {
      const found = this.#findAllWords(accountId, sought);
      const { items, frequencies } = await this.#addPartial(accountId, sought, found, filter.itemTypes);
      return { items, notice: null, frequencies };
    }
    const others = without(filter.itemTypes, 'issue');
    const byWords =
      searchType === 'similarity' ? { ...sought, filter: { ...filter, itemTypes: others } } : sought;
    const finding = this.#findAllWords(accountId, byWords);
    const partial = searchType === 'hybrid' ? this.#findPartial(accountId, sought, finding) : [];
    const [{ items: found, frequencies }, near, someIssues] = await Promise.all([
      this.#addPartial(accountId, byWords, finding, others),
      this.#nearest(accountId, sought, byWords === sought && query.words.length === 0 ? finding : null),
      partial,
    ]);
    if (near === null) {
      const all = this.#findAllWords(accountId, sought);
      const { items } = await this.#addPartial(accountId, sought, all, filter.itemTypes);
      return { items, notice: INDEX_LOADING_NOTICE, frequencies };
    }
    const { notice } = near;
    const similar = await this.#withOthers(accountId, query, near.items, found);
    if (searchType === 'similarity') return { items: similar, notice, frequencies };
    const similarityOf = new Map(similar.map(({ id, similarity }) => [id, similarity]));
    const fused = fuseRanks<FoundItem>([similar, found]).map((item) => {
      const similarity = similarityOf.get(item.id);
      return similarity === undefined ? item : { ...item, similarity };
    });
    // Issues that contain only some of the words come last, unless the similarity search has found
    // them. So a hybrid search finds at least as many issues as a word search.
    const known = new Set(fused.map(({ id }) => id));
    let last = someIssues.filter(({ id }) => !known.has(id));
    if (last.length > 0 && fused.length < shown) {
      const ordered = await findSomeWords(this.#db, accountId, {
        query,
        frequencies,
        filter: issuesOnly(filter),
      });
      last = ordered.filter(({ id }) => !known.has(id));
    }
    return { items: [...fused, ...last], notice, frequencies };
  }

  async #findAllWords(
    accountId: string,
    { query, filter, whenIndexed }: RankRequest,
  ): Promise<CompleteMatches> {
    const [frequencies] = await Promise.all([this.#frequencies(accountId, query), whenIndexed]);
    const found = await findAllWords(this.#db, accountId, { query, frequencies, filter });
    return { ...found, frequencies };
  }

  /**
   * If few items contain all words, appends items of the given types that contain only some of
   * them.
   */
  async #addPartial(
    accountId: string,
    { query, filter }: RankRequest,
    finding: Promise<CompleteMatches>,
    itemTypes: readonly SearchItemType[],
  ): Promise<CompleteMatches> {
    const all = await finding;
    const { frequencies } = all;
    const words = { query, frequencies, filter };
    return { ...(await addPartialMatches(this.#db, accountId, words, all, itemTypes)), frequencies };
  }

  /**
   * Returns issues that contain only some of the words, in no particular order. Returns none if
   * enough items contain all words.
   */
  async #findPartial(
    accountId: string,
    { query, filter }: RankRequest,
    finding: Promise<CompleteMatches>,
  ): Promise<FoundItem[]> {
    const { hasFew, frequencies } = await finding;
    if (!hasFew || !filter.itemTypes.includes('issue')) return [];
    const words = { query, frequencies, filter: issuesOnly(filter) };
    return findSomeWordsUnordered(this.#db, accountId, words);
  }

  async #frequencies(accountId: string, query: ParsedQuery): Promise<Frequencies> {
    const terms = query.words.flatMap(({ term, word }) => [term, ...word.stems]);
    const answer = await this.#engine.call('frequencies', { accountId, terms });
    if (answer === null) return UNKNOWN_FREQUENCIES;
    return {
      documents: answer.documents,
      occurrences: new Map(terms.map((term, index) => [term, answer.occurrences[index] ?? 1])),
    };
  }

  /**
   * Returns issues by similarity. Returns null while the index is loading.
   *
   * Removes the issues that violate a phrase or exclusion of the query. If the word search
   * `finding` contains all matches, keeps only issues among them. Otherwise checks each issue.
   */
  async #nearest(
    accountId: string,
    { query, filter, whenIndexed }: RankRequest,
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
      limit: MAX_COUNTED_RESULTS + 1,
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
      : await filterMatching(
          this.#db,
          accountId,
          items.map(({ id }) => id),
          fixed,
        );
    return { items: items.filter(({ id }) => holds.has(id)), notice: answer.notice };
  }

  /**
   * Adds comments and change requests to the issues, and ranks all by similarity. Comments and
   * change requests have no vectors. So only words are compared, and only for the best results of
   * the word search.
   */
  async #withOthers(
    accountId: string,
    query: ParsedQuery,
    issues: SimilarItem[],
    found: readonly FoundItem[],
  ): Promise<SimilarItem[]> {
    const others = found.filter(({ itemType }) => itemType !== 'issue').slice(0, MAX_COMPARED_ITEMS);
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

function issuesOnly(filter: SearchFilter): SearchFilter {
  return { ...filter, itemTypes: ['issue'] };
}

function without(types: readonly SearchItemType[], left: SearchItemType): SearchItemType[] {
  return types.filter((type) => type !== left);
}

function bySimilarity(one: SimilarItem, other: SimilarItem): number {
  return other.similarity - one.similarity || (one.id < other.id ? -1 : 1);
}
