import type { Tracker } from '@winnow/contract/tracker';
import type { TrackerView } from './store.ts';

/** Returns a tracker in the form that its owner sees, without the encrypted key. */
export function presentTracker(tracker: TrackerView): Tracker {
  return {
    id: tracker.id,
    name: tracker.name,
    tracker_type: tracker.tracker_type,
    url: tracker.url,
    is_active: tracker.is_active,
    connection_details: tracker.username === null ? {} : { username: tracker.username },
    scope_rules: tracker.rules.map(({ id, rule_type, scope_type, identifier }) => ({
      id,
      rule_type,
      scope_type,
      identifier,
    })),
    tracker_login: tracker.login,
    health: {
      status: tracker.health_status,
      message: tracker.health_message,
      cause: tracker.health_cause,
      checked_at: tracker.health_checked_at?.toISOString() ?? null,
      missing_permissions: tracker.missing_permissions,
    },
    sync: {
      state: tracker.sync_state,
      progress:
        tracker.sync_done === null || tracker.sync_total === null
          ? null
          : { done: tracker.sync_done, total: tracker.sync_total },
      last_finished_at: tracker.sync_finished_at?.toISOString() ?? null,
      last_error: tracker.sync_error,
      issues: tracker.issues,
    },
    webhooks: {
      state: tracker.webhook_state,
      last_event_at: tracker.webhook_event_at?.toISOString() ?? null,
    },
    created: tracker.created_at.toISOString(),
    last_updated: tracker.updated_at.toISOString(),
  };
}
