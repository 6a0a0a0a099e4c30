import type { Db } from '../../schema/tables.ts';
import { insertTracker, replaceScopeRules } from '../store.ts';
import { sampleOrganization } from './backlog/projects.ts';
import { seedSampleBacklog } from './seed.ts';

/**
 * Creates a tracker for the sample backlog, which is stored in our own database. All its projects
 * are in scope.
 */
export async function createSampleTracker(
  db: Db,
  accountId: string,
  trackerId: string,
  name: string,
  now: Date,
): Promise<void> {
  await insertTracker(db, {
    account_id: accountId,
    id: trackerId,
    name,
    tracker_type: 'sample',
    url: '',
    username: null,
    sealed_key: null,
    health_status: 'ok',
  });
  await replaceScopeRules(db, accountId, trackerId, [
    { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: sampleOrganization.identifier },
  ]);
  await seedSampleBacklog(db, accountId, trackerId, now);
}
