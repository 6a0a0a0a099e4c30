import { membersOf } from '../clusters/store.ts';
import { type RelatedToIssue, registerIssueRoutes } from '../issues/routes.ts';
import { indexAccountWords } from '../issues/search/job.ts';
import { IssueMaps } from '../issues/search/map.ts';
import { registerSearchRoutes } from '../issues/search/routes.ts';
import { Search } from '../issues/search/service.ts';
import { accountsToIndex } from '../issues/search-index/stale-item-store.ts';
import { Issues } from '../issues/service.ts';
import { SimilarIssuesFinder } from '../issues/similar.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import type { Foundation } from './foundation.ts';

export type SearchServices = ReturnType<typeof composeSearch>;

/** Composes issue lists, search, similar issues and the issue map. */
export function composeSearch({ db, engine, requests }: Foundation) {
  const issues = new Issues(db);
  const similar = new SimilarIssuesFinder({ db, engine });
  const search = new Search({
    db,
    engine,
    issues,
    requestIndexing: requests.indexing,
    membersOfCluster: (accountId, clusterId) => membersOf(db, accountId, clusterId),
  });
  const maps = new IssueMaps({ db, engine, issues });

  return {
    issues,
    similar,
    search,
    handlers: [
      handle(indexAccountWords, async ({ account_id: accountId }, { signal }) => {
        while ((await engine.call('indexWords', { accountId })) > 0) signal.throwIfAborted();
      }),
    ],
    /** Resumes indexing that an update or a shutdown has interrupted. */
    async resume(): Promise<void> {
      for (const accountId of await accountsToIndex(db)) await requests.indexing(accountId);
    },
    registerRoutes(app: App, auth: Authentication, related: RelatedToIssue): void {
      registerIssueRoutes(app, { issues, similar, related, auth });
      registerSearchRoutes(app, { search, maps, auth });
    },
  };
}
