import type { StatusFilter } from '@winnow/contract/issue';
import type { Db } from '../schema/tables.ts';
import type { Engine } from './engine/engine.ts';
import { findIssues, type IssueView, newestOfProject } from './store.ts';

/**
 * Maximum given issues that are used for a search. If more are given, the last ones are used. Each
 * contributes its `NEAREST_PER_START` most similar issues.
 */
const MAX_STARTS = 10;
const NEAREST_PER_START = 100;

/** Filter for similar issues. */
export interface SimilarTo {
  createdBefore: Date | null;
  status: StatusFilter;
  /** Ids of the projects to search. Null: all projects of the account. */
  projectIds: readonly string[] | null;
  limit: number;
}

/** Finds similar issues with the index that the engine thread holds in memory. */
export class SimilarIssuesFinder {
  readonly #db: Db;
  readonly #engine: Engine;

  constructor(options: { db: Db; engine: Engine }) {
    this.#db = options.db;
    this.#engine = options.engine;
  }

  /**
   * Returns the issues of the account that are most similar to an issue, best first. Returns none
   * for a change request.
   */
  async findSimilar(
    accountId: string,
    issue: { id: string },
    filter: SimilarTo,
  ): Promise<{ results: { issue: IssueView; similarity: number }[]; modelUsed: string }> {
    const { results, modelUsed } = await this.#engine.call('similar', {
      accountId,
      issueId: issue.id,
      filter: {
        createdBeforeMs: filter.createdBefore?.getTime() ?? null,
        state: filter.status === 'all' ? null : filter.status,
        projectIds: filter.projectIds === null ? null : [...filter.projectIds],
        limit: filter.limit,
      },
    });
    const similarityOf = new Map(results.map(({ issueId, similarity }) => [issueId, similarity]));
    const issues = await findIssues(this.#db, accountId, [...similarityOf.keys()]);
    return {
      modelUsed,
      results: issues.map((found) => ({ issue: found, similarity: similarityOf.get(found.id) ?? 0 })),
    };
  }

  /**
   * Returns the ids of the issues of a project that are most similar to the given issues, best
   * first. Excludes the given issues. If too few are found, adds the newest issues.
   */
  async nearestInProject(
    accountId: string,
    projectId: string,
    issueIds: readonly string[],
    limit: number,
  ): Promise<string[]> {
    const best = new Map<string, number>();
    for (const issueId of issueIds.slice(-MAX_STARTS)) {
      const filter = {
        createdBeforeMs: null,
        state: null,
        projectIds: [projectId],
        limit: NEAREST_PER_START,
      };
      const { results } = await this.#engine.call('similar', { accountId, issueId, filter });
      for (const { issueId: other, similarity } of results) {
        if (!issueIds.includes(other)) best.set(other, Math.max(similarity, best.get(other) ?? 0));
      }
    }
    const nearest = [...best.keys()].sort(
      (one, other) => (best.get(other) ?? 0) - (best.get(one) ?? 0) || (one < other ? -1 : 1),
    );
    if (nearest.length >= limit) return nearest.slice(0, limit);
    const rest = await newestOfProject(this.#db, accountId, projectId, {
      without: [...issueIds, ...nearest],
      limit: limit - nearest.length,
    });
    return [...nearest, ...rest];
  }
}
