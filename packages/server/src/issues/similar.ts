import type { StatusFilter } from '@winnow/contract/issue';
import type { Db } from '../schema/tables.ts';
import type { Engine } from './engine/engine.ts';
import { findHeadlines, type IssueHeadline } from './store.ts';

/** Finds what is nearest to an issue, straight from the resident index. */
export class SimilarIssuesFinder {
  readonly #db: Db;
  readonly #engine: Engine;

  constructor(options: { db: Db; engine: Engine }) {
    this.#db = options.db;
    this.#engine = options.engine;
  }

  /** The most similar issues of the account, best first; a change request has none. */
  async find(
    accountId: string,
    issue: { id: string },
    filter: { createdBefore: Date | null; status: StatusFilter; limit: number },
  ): Promise<{ results: { issue: IssueHeadline; similarity: number }[]; modelUsed: string }> {
    const { results, modelUsed } = await this.#engine.call('similar', {
      accountId,
      issueId: issue.id,
      filter: {
        createdBeforeMs: filter.createdBefore?.getTime() ?? null,
        state: filter.status === 'all' ? null : filter.status,
        limit: filter.limit,
      },
    });
    const headlines = await findHeadlines(
      this.#db,
      accountId,
      results.map((result) => result.issueId),
    );
    const byId = new Map(headlines.map((headline) => [headline.id, headline]));
    return {
      modelUsed,
      results: results.flatMap((result) => {
        const headline = byId.get(result.issueId);
        return headline ? [{ issue: headline, similarity: result.similarity }] : [];
      }),
    };
  }
}
