import type { StatusFilter } from '@winnow/contract/issue';
import {
  MAX_COUNTED_RESULTS,
  type MapRegion,
  type SearchItemType,
  type SearchType,
} from '@winnow/contract/search';
import { notFound } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import { countStale } from '../search-index/stale-item-store.ts';
import type { Issues } from '../service.ts';
import { HitReader, type SearchHit } from './hits.ts';
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
  /** Ids of the projects to search, or first segments of ids. An empty list means all projects. */
  projects: readonly string[];
  /**
   * Restricts the search to a region of the map. The map must show these projects and this status.
   */
  region?: MapRegion | undefined;
  /** Restricts the search to the issues of a cluster and their comments. */
  clusterId?: string | undefined;
  /** True to also return the ids of all results, not only those of the page. */
  withIds?: boolean;
  limit: number;
  skip: number;
}

export interface SearchAnswer {
  hits: SearchHit[];
  total: number;
  isCapped: boolean;
  notice: string | null;
  /** Number of issues in the region. The query does not affect it. */
  regionTotal: number | null;
  ids?: string[];
}

/**
 * Maximum changed texts that are indexed while a search waits. If more have changed, a job indexes
 * them instead.
 */
const MAX_INLINE_INDEXED = 200;
const NO_RESULTS = { hits: [], total: 0, isCapped: false, notice: null };
const NO_CLUSTER = 'This cluster does not exist. Its issues may have left it.';
const NOT_INDEXED = 'Recently added issues are still being indexed and may be missing.';

/** Finds issues, change requests and comments by words and by meaning. */
export class Search {
  readonly #db: Db;
  readonly #engine: Engine;
  readonly #issues: Issues;
  readonly #ranker: Ranker;
  readonly #reader: HitReader;
  readonly #requestIndexing: (accountId: string) => Promise<unknown>;
  readonly #membersOfCluster: (accountId: string, clusterId: string) => Promise<readonly string[]>;

  /**
   * `requestIndexing` enqueues a job that indexes the changed texts of an account.
   * `membersOfCluster` returns the ids of a cluster's issues, or none if the account has no such
   * cluster.
   */
  constructor(options: {
    db: Db;
    engine: Engine;
    issues: Issues;
    requestIndexing: (accountId: string) => Promise<unknown>;
    membersOfCluster: (accountId: string, clusterId: string) => Promise<readonly string[]>;
  }) {
    this.#db = options.db;
    this.#engine = options.engine;
    this.#issues = options.issues;
    this.#ranker = new Ranker(options);
    this.#reader = new HitReader(options);
    this.#requestIndexing = options.requestIndexing;
    this.#membersOfCluster = options.membersOfCluster;
  }

  /**
   * Returns a page of results. Items that the query names by key, id or URL come first, then the
   * best matches. An empty query lists the newest items. Only search results are limited to
   * `MAX_COUNTED_RESULTS`.
   * @throws {AppError} `invalid` for an ambiguous project
   * @throws {AppError} `not_found` for an unknown cluster
   * @throws {AppError} `unavailable` while the map of a region is being computed
   */
  async search(accountId: string, request: SearchRequest): Promise<SearchAnswer> {
    const { filter, regionTotal } = await this.#filter(accountId, request);
    return { ...(await this.#searchWithin(accountId, filter, request)), regionTotal };
  }

  async #searchWithin(
    accountId: string,
    filter: SearchFilter,
    request: SearchRequest,
  ): Promise<Omit<SearchAnswer, 'regionTotal'>> {
    if (filter.itemTypes.length === 0) return NO_RESULTS;
    if (request.query === '') return this.#newest(accountId, filter, request);
    const query = parseQuery(request.query);
    const whenIndexed = this.#index(accountId);
    const shown = request.withIds ? MAX_COUNTED_RESULTS : request.skip + request.limit;
    const [named, ranking, notIndexed] = await Promise.all([
      findNamed(this.#db, accountId, request.query.toWellFormed().replaceAll('\0', ' '), filter),
      this.#ranker.rank(accountId, query, filter, { searchType: request.searchType, whenIndexed, shown }),
      whenIndexed,
    ]);
    const isNamed = new Set(named.map(({ id }) => id));
    const items = [
      ...named.map((item) => ({ ...item, isNamed: true })),
      ...ranking.items.filter(({ id }) => !isNamed.has(id)),
    ];
    const counted = items.slice(0, MAX_COUNTED_RESULTS);
    const page = counted.slice(request.skip, request.skip + request.limit);
    return {
      hits: await this.#reader.read(accountId, page, { query, frequencies: ranking.frequencies }),
      total: Math.min(items.length, MAX_COUNTED_RESULTS),
      isCapped: items.length > MAX_COUNTED_RESULTS,
      notice: ranking.notice ?? notIndexed,
      ...(request.withIds ? { ids: counted.map(({ id }) => id) } : {}),
    };
  }

  async #filter(
    accountId: string,
    request: SearchRequest,
  ): Promise<{ filter: SearchFilter; regionTotal: number | null }> {
    const { projects, status, region, clusterId, itemTypes } = request;
    const projectIds = projects.length === 0 ? null : await this.#issues.resolveProjects(accountId, projects);
    const members = clusterId === undefined ? null : await this.#members(accountId, clusterId);
    if (region === undefined) {
      return { filter: { itemTypes, status, projectIds, issueIds: members }, regionTotal: null };
    }
    const there = await findInRegion(this.#engine, accountId, { projectIds, status, region });
    const isMember = members && new Set(members);
    const issueIds = isMember ? there.filter((id) => isMember.has(id)) : there;
    // Returns no comments and change requests within a region, because the map shows only issues.
    const onMap = itemTypes.filter((type) => type === 'issue');
    return { filter: { itemTypes: onMap, status, projectIds, issueIds }, regionTotal: there.length };
  }

  async #members(accountId: string, clusterId: string): Promise<readonly string[]> {
    const members = await this.#membersOfCluster(accountId, clusterId);
    // A cluster has at least two issues. If only one is stored, the others were deleted, so the
    // cluster does not exist.
    if (members.length < 2) throw notFound(NO_CLUSTER);
    return members;
  }

  async #newest(
    accountId: string,
    filter: SearchFilter,
    { limit, skip, withIds = false }: SearchRequest,
  ): Promise<Omit<SearchAnswer, 'regionTotal'>> {
    const { found, total } = await findNewest(this.#db, accountId, filter, { limit, skip });
    const named = withIds
      ? (await findNewest(this.#db, accountId, filter, { limit: MAX_COUNTED_RESULTS, skip: 0 })).found
      : null;
    return {
      hits: await this.#reader.read(accountId, found, null),
      total,
      isCapped: false,
      notice: null,
      ...(named === null ? {} : { ids: named.map(({ id }) => id) }),
    };
  }

  /**
   * Indexes recently changed texts if there are few. Otherwise requests a job for that, and returns
   * a notice.
   */
  async #index(accountId: string): Promise<string | null> {
    const stale = await countStale(this.#db, accountId, MAX_INLINE_INDEXED + 1);
    if (stale === 0) return null;
    if (stale <= MAX_INLINE_INDEXED) {
      // Indexing long texts takes several batches.
      const indexed = await this.#engine.call('indexWords', { accountId });
      if (indexed === 0 || indexed >= stale) return null;
    }
    await this.#requestIndexing(accountId);
    return NOT_INDEXED;
  }
}
