import type { StatusFilter } from '@winnow/contract/issue';
import { type MapRegion, MOST_COUNTED, type SearchItemType, type SearchType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import type { Issues } from '../service.ts';
import { HitReader, type SearchHit } from './hits.ts';
import { countStale } from './index-words.ts';
import { findInRegion } from './map.ts';
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
  /** Where on the map of these projects and this status; anywhere when left out. */
  region?: MapRegion | undefined;
  /** Whether everything that a query finds is to be named, whatever the page. */
  withIds?: boolean;
  limit: number;
  skip: number;
}

export interface SearchAnswer {
  hits: SearchHit[];
  total: number;
  isCapped: boolean;
  notice: string | null;
  /** Issues in the region, whatever is searched for. */
  regionTotal: number | null;
  ids?: string[];
}

/** So many changed texts are indexed while a search waits; more are left to a job. */
const INDEXED_AT_ONCE = 200;
const NOTHING = { hits: [], total: 0, isCapped: false, notice: null };
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
   * What is found goes as far as it is counted; what is listed, to its end. 422 for an ambiguous project, 503 while the map of a region is being prepared.
   */
  async search(accountId: string, request: SearchRequest): Promise<SearchAnswer> {
    const filter = await this.#filter(accountId, request);
    if (filter.itemTypes.length === 0) return { ...NOTHING, regionTotal: filter.issueIds?.length ?? null };
    if (request.query === '') return this.#newest(accountId, filter, request);
    const query = parseQuery(request.query);
    const whenIndexed = this.#index(accountId);
    const [named, ranking, notIndexed] = await Promise.all([
      findNamed(this.#db, accountId, request.query.toWellFormed().replaceAll('\0', ' '), filter),
      this.#ranker.rank(accountId, query, filter, { searchType: request.searchType, whenIndexed }),
      whenIndexed,
    ]);
    const isNamed = new Set(named.map(({ id }) => id));
    const items = [
      ...named.map((item) => ({ ...item, isNamed: true })),
      ...ranking.items.filter(({ id }) => !isNamed.has(id)),
    ];
    const counted = items.slice(0, MOST_COUNTED);
    const page = counted.slice(request.skip, request.skip + request.limit);
    return {
      hits: await this.#reader.read(accountId, page, { query, frequencies: ranking.frequencies }),
      total: Math.min(items.length, MOST_COUNTED),
      isCapped: items.length > MOST_COUNTED,
      notice: ranking.notice ?? notIndexed,
      regionTotal: filter.issueIds?.length ?? null,
      ...(request.withIds ? { ids: counted.map(({ id }) => id) } : {}),
    };
  }

  async #filter(accountId: string, request: SearchRequest): Promise<SearchFilter> {
    const { projects, status, region, itemTypes } = request;
    const projectIds = projects.length === 0 ? null : await this.#issues.resolveProjects(accountId, projects);
    if (region === undefined) return { itemTypes, status, projectIds, issueIds: null };
    const issueIds = await findInRegion(this.#engine, accountId, { projectIds, status, region });
    // The map has issues alone.
    return { itemTypes: itemTypes.filter((type) => type === 'issue'), status, projectIds, issueIds };
  }

  async #newest(
    accountId: string,
    filter: SearchFilter,
    { limit, skip, withIds = false }: SearchRequest,
  ): Promise<SearchAnswer> {
    const { found, total } = await findNewest(this.#db, accountId, filter, { limit, skip });
    const named = withIds
      ? (await findNewest(this.#db, accountId, filter, { limit: MOST_COUNTED, skip: 0 })).found
      : null;
    return {
      hits: await this.#reader.read(accountId, found, null),
      total,
      isCapped: false,
      notice: null,
      regionTotal: filter.issueIds?.length ?? null,
      ...(named === null ? {} : { ids: named.map(({ id }) => id) }),
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
