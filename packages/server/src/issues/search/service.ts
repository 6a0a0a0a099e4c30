import type { StatusFilter } from '@winnow/contract/issue';
import { MOST_COUNTED, type SearchItemType, type SearchType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import type { Issues } from '../service.ts';
import { HitReader, type SearchHit } from './hits.ts';
import { countStale } from './index-words.ts';
import { parseQuery } from './query.ts';
import { Ranker } from './ranker.ts';
import { findNamed } from './reference.ts';
import { findNewest, type SearchFilter } from './store.ts';

export interface SearchRequest {
  query: string;
  searchType: SearchType;
  itemTypes: readonly SearchItemType[];
  status: StatusFilter;
  /** Full ids or first segments; every project when empty. */
  projects: readonly string[];
  limit: number;
  skip: number;
}

export interface SearchAnswer {
  hits: SearchHit[];
  total: number;
  isCapped: boolean;
  notice: string | null;
}

/** So many changed texts are indexed while a search waits; more are left to a job. */
const INDEXED_AT_ONCE = 200;
const NOT_INDEXED = 'Issues that came in just now are still being indexed and may be missing.';

/** Finds issues, change requests and comments by what they mean and by their words. */
export class Search {
  readonly #db: Db;
  readonly #engine: Engine;
  readonly #issues: Issues;
  readonly #ranker: Ranker;
  readonly #reader: HitReader;
  readonly #requestIndexing: (accountId: string) => Promise<unknown>;

  /** `requestIndexing` has a job index what changed in an account. */
  constructor(options: {
    db: Db;
    engine: Engine;
    issues: Issues;
    requestIndexing: (accountId: string) => Promise<unknown>;
  }) {
    this.#db = options.db;
    this.#engine = options.engine;
    this.#issues = options.issues;
    this.#ranker = new Ranker(options);
    this.#reader = new HitReader(options);
    this.#requestIndexing = options.requestIndexing;
  }

  /**
   * A page of what a query finds: first what it names by key, id or address, then the best. An empty query lists the newest.
   * Results go as far as they are counted. 422 for an ambiguous project.
   */
  async search(accountId: string, request: SearchRequest): Promise<SearchAnswer> {
    const { projects } = request;
    const filter: SearchFilter = {
      itemTypes: request.itemTypes,
      status: request.status,
      projectIds: projects.length === 0 ? null : await this.#issues.resolveProjects(accountId, projects),
    };
    if (request.query === '') return this.#newest(accountId, filter, request);
    const query = parseQuery(request.query);
    const notIndexed = await this.#index(accountId);
    const [named, ranking] = await Promise.all([
      findNamed(this.#db, accountId, request.query.toWellFormed().replaceAll('\0', ' '), filter),
      this.#ranker.rank(accountId, query, filter, request.searchType),
    ]);
    const isNamed = new Set(named.map(({ id }) => id));
    const items = [
      ...named.map((item) => ({ ...item, isNamed: true })),
      ...ranking.items.filter(({ id }) => !isNamed.has(id)),
    ];
    const page = items.slice(0, MOST_COUNTED).slice(request.skip, request.skip + request.limit);
    return {
      hits: await this.#reader.read(accountId, page, { query, frequencies: ranking.frequencies }),
      total: Math.min(items.length, MOST_COUNTED),
      isCapped: items.length > MOST_COUNTED,
      notice: ranking.notice ?? notIndexed,
    };
  }

  async #newest(
    accountId: string,
    filter: SearchFilter,
    { limit, skip }: SearchRequest,
  ): Promise<SearchAnswer> {
    const page = {
      limit: Math.max(0, Math.min(limit, MOST_COUNTED - skip)),
      skip: Math.min(skip, MOST_COUNTED),
    };
    const { found, total } = await findNewest(this.#db, accountId, filter, page);
    return {
      hits: await this.#reader.read(accountId, found, null),
      total: Math.min(total, MOST_COUNTED),
      isCapped: total > MOST_COUNTED,
      notice: null,
    };
  }

  /** Indexes what changed, if it is little; otherwise answers what is to be said of it. */
  async #index(accountId: string): Promise<string | null> {
    const stale = await countStale(this.#db, accountId, INDEXED_AT_ONCE + 1);
    if (stale === 0) return null;
    if (stale <= INDEXED_AT_ONCE) {
      await this.#engine.call('indexWords', { accountId });
      return null;
    }
    await this.#requestIndexing(accountId);
    return NOT_INDEXED;
  }
}
