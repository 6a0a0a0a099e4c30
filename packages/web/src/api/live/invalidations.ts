import type { LiveEvent } from '@winnow/contract/live';
import type { QueryFamily } from '../query/query-keys.ts';

/** Which families of queries an event puts out of date. The one place where events and queries meet. */
const TOUCHED = {
  // Progress itself is patched into the list (live.ts); a refetch is for what a finished sync changes.
  sync_progress: [],
  issues_changed: ['issues', 'trackers', 'pairs', 'compliance', 'dependencies'],
  pairs_changed: ['pairs', 'issues'],
  compliance_changed: ['compliance'],
  ai_models_changed: ['aiModels'],
  dependencies_changed: ['dependencies'],
  // Writing shows whether a tracker's credentials may write.
  change_updated: ['changes', 'pairs', 'issues', 'trackers', 'compliance', 'dependencies'],
  execution_updated: ['flows'],
  usage_updated: ['usage'],
  subscription_updated: ['plans', 'usage'],
} as const satisfies Record<LiveEvent['type'], readonly QueryFamily[]>;

/** The families that are out of date after `event`. */
export function familiesTouchedBy(event: LiveEvent): readonly QueryFamily[] {
  if (event.type === 'sync_progress') {
    return event.state === 'idle' || event.state === 'failed'
      ? ['trackers', 'issues', 'pairs', 'compliance', 'dependencies']
      : [];
  }
  return TOUCHED[event.type];
}
