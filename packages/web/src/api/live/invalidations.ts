import type { LiveEvent } from '@winnow/contract/live';
import type { QueryFamily } from '../query/query-keys.ts';

/** Query families that each event invalidates. No other place maps events to queries. */
export const INVALIDATED_FAMILIES = {
  // Progress needs no refetch, because live.ts writes it into the cached tracker list. The end of a
  // sync has its own event.
  sync_progress: [],
  issues_changed: ['issues', 'trackers', 'pairs', 'clusters', 'compliance', 'dependencies'],
  pairs_changed: ['pairs', 'clusters', 'issues'],
  compliance_changed: ['compliance'],
  ai_models_changed: ['aiModels'],
  dependencies_changed: ['dependencies'],
  // A write can reveal whether a tracker's credentials permit writing. Decisions change the
  // agreement shown for models.
  change_updated: [
    'changes',
    'pairs',
    'clusters',
    'issues',
    'trackers',
    'compliance',
    'dependencies',
    'aiModels',
  ],
  execution_updated: ['flows'],
  usage_updated: ['usage'],
  members_changed: ['workspace'],
  subscription_updated: ['plans', 'usage'],
} as const satisfies Record<LiveEvent['type'], readonly QueryFamily[]>;

/** Returns the query families that an event invalidates. */
export function familiesTouchedBy(event: LiveEvent): readonly QueryFamily[] {
  if (event.type === 'sync_progress') {
    return event.state === 'idle' || event.state === 'failed'
      ? ['trackers', 'issues', 'pairs', 'clusters', 'compliance', 'dependencies']
      : [];
  }
  return INVALIDATED_FAMILIES[event.type];
}
