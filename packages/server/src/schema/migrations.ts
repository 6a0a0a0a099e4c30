import type { Migration } from 'kysely/migration';
import * as accounts from './migrations/0001-accounts.ts';
import * as billing from './migrations/0002-billing.ts';
import * as trackers from './migrations/0003-trackers.ts';
import * as issues from './migrations/0004-issues.ts';
import * as search from './migrations/0005-search.ts';
import * as models from './migrations/0006-models.ts';
import * as pairs from './migrations/0007-pairs.ts';
import * as compliance from './migrations/0008-compliance.ts';
import * as dependencies from './migrations/0009-dependencies.ts';
import * as changes from './migrations/0010-changes.ts';
import * as flows from './migrations/0011-flows.ts';
import * as clusters from './migrations/0012-clusters.ts';
import * as changeGroups from './migrations/0013-change-groups.ts';
import * as clusterGrowth from './migrations/0014-cluster-growth.ts';
import * as statedDuplicates from './migrations/0015-stated-duplicates.ts';
import * as issueEngagement from './migrations/0016-issue-engagement.ts';
import * as staleIssues from './migrations/0017-stale-issues.ts';
import * as secondFactors from './migrations/0018-second-factors.ts';
import * as clusterActions from './migrations/0019-cluster-actions.ts';
import * as workspaces from './migrations/0020-workspaces.ts';
import * as passkeys from './migrations/0021-passkeys.ts';

/** All migrations by name, in order of application. Never edit a migration after its release. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-billing': billing,
  '0003-trackers': trackers,
  '0004-issues': issues,
  '0005-search': search,
  '0006-models': models,
  '0007-pairs': pairs,
  '0008-compliance': compliance,
  '0009-dependencies': dependencies,
  '0010-changes': changes,
  '0011-flows': flows,
  '0012-clusters': clusters,
  '0013-change-groups': changeGroups,
  '0014-cluster-growth': clusterGrowth,
  '0015-stated-duplicates': statedDuplicates,
  '0016-issue-engagement': issueEngagement,
  '0017-stale-issues': staleIssues,
  '0018-second-factors': secondFactors,
  '0019-cluster-actions': clusterActions,
  '0020-workspaces': workspaces,
  '0021-passkeys': passkeys,
};
