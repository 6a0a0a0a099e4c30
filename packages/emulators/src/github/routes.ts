import type { Route } from './call.ts';
import { accountRoutes } from './routes-account.ts';
import { commentRoutes } from './routes-comments.ts';
import { dependencyRoutes } from './routes-dependencies.ts';
import { historyRoutes } from './routes-history.ts';
import { hookRoutes } from './routes-hooks.ts';
import { issueRoutes } from './routes-issues.ts';
import { labelRoutes } from './routes-labels.ts';
import { subIssueRoutes } from './routes-sub-issues.ts';

/** All routes of the emulator. The first that matches is used. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...commentRoutes,
  ...dependencyRoutes,
  ...historyRoutes,
  ...hookRoutes,
  ...labelRoutes,
  ...subIssueRoutes,
  ...issueRoutes,
];
