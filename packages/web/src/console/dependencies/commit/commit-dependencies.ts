import { type CommitResult, commitResult, type Dependency } from '@winnow/contract/dependency';
import { queryClient } from '../../../app/query-client.ts';
import { queryKeys } from '../../../app/query-keys.ts';
import { api } from '../../../app/session/session.ts';
import { refreshDependencies } from '../queries.ts';
import { named } from '../standing.ts';

/** Commits dependencies to their trackers. Throws `ApiError` when nothing was begun. */
export async function commitDependencies(dependencies: readonly Dependency[]): Promise<CommitResult> {
  try {
    return await api('POST', '/issue-dependencies/commit', {
      body: { dependencies: dependencies.map(named) },
      schema: commitResult,
    });
  } finally {
    refreshDependencies();
    void queryClient.invalidateQueries({ queryKey: queryKeys.changes.all });
  }
}
