import type { Migration } from 'kysely/migration';
import * as foundation from './migrations/0001-foundation.ts';
import * as search from './migrations/0002-search.ts';
import * as compliance from './migrations/0003-compliance.ts';
import * as dependencies from './migrations/0004-dependencies.ts';
import * as wholeProjects from './migrations/0005-whole-projects.ts';
import * as apiKeys from './migrations/0007-api-keys.ts';
import * as apiUsage from './migrations/0008-api-usage.ts';
import * as namedRequests from './migrations/0009-named-requests.ts';
import * as currentResults from './migrations/0010-current-results.ts';
import * as keptModelAnswers from './migrations/0011-kept-model-answers.ts';
import * as flows from './migrations/0012-flows.ts';
import * as keyUses from './migrations/0013-key-uses.ts';
import * as billing from './migrations/0014-billing.ts';
import * as flowCalls from './migrations/0015-flow-calls.ts';
import * as pendingPlanChange from './migrations/0016-pending-plan-change.ts';
import * as missedEvents from './migrations/0017-missed-events.ts';
import * as issuesOfQuestions from './migrations/0018-issues-of-questions.ts';
import * as modelWaits from './migrations/0019-model-waits.ts';
import * as writeTurns from './migrations/0020-write-turns.ts';
import * as accountActivity from './migrations/0021-account-activity.ts';
import * as modelHealth from './migrations/0022-model-health.ts';
import * as waitingPlanChange from './migrations/0023-waiting-plan-change.ts';
import * as trackerHealthCause from './migrations/0024-tracker-health-cause.ts';
import * as flowTokens from './migrations/0025-flow-tokens.ts';
import * as syncedAt from './migrations/0026-synced-at.ts';
import * as likelihood from './migrations/0027-likelihood.ts';
import * as projectCounts from './migrations/0028-project-counts.ts';
import * as recalibration from './migrations/0029-recalibration.ts';
import * as pairJudgments from './migrations/0030-pair-judgments.ts';
import * as pairMark from './migrations/0031-pair-mark.ts';
import * as builtInDecisions from './migrations/0032-built-in-decisions.ts';
import * as languages from './migrations/0033-languages.ts';
import * as judgedByType from './migrations/0034-judged-by-type.ts';
import * as clusters from './migrations/0035-clusters.ts';

/** All migrations by name, in order of application. A released migration is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-search': search,
  '0003-compliance': compliance,
  '0004-dependencies': dependencies,
  '0005-whole-projects': wholeProjects,
  '0007-api-keys': apiKeys,
  '0008-api-usage': apiUsage,
  '0009-named-requests': namedRequests,
  '0010-current-results': currentResults,
  '0011-kept-model-answers': keptModelAnswers,
  '0012-flows': flows,
  '0013-key-uses': keyUses,
  '0014-billing': billing,
  '0015-flow-calls': flowCalls,
  '0016-pending-plan-change': pendingPlanChange,
  '0017-missed-events': missedEvents,
  '0018-issues-of-questions': issuesOfQuestions,
  '0019-model-waits': modelWaits,
  '0020-write-turns': writeTurns,
  '0021-account-activity': accountActivity,
  '0022-model-health': modelHealth,
  '0023-waiting-plan-change': waitingPlanChange,
  '0024-tracker-health-cause': trackerHealthCause,
  '0025-flow-tokens': flowTokens,
  '0026-synced-at': syncedAt,
  '0027-likelihood': likelihood,
  '0028-project-counts': projectCounts,
  '0029-recalibration': recalibration,
  '0030-pair-judgments': pairJudgments,
  '0031-pair-mark': pairMark,
  '0032-built-in-decisions': builtInDecisions,
  '0033-languages': languages,
  '0034-judged-by-type': judgedByType,
  '0035-clusters': clusters,
};
