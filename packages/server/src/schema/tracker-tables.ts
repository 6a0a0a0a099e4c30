import type { SyncState, TrackerType, WebhookState } from '@winnow/contract/tracker';
import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface TrackerTable {
  account_id: string;
  id: string;
  name: string;
  tracker_type: TrackerType;
  url: string;
  username: string | null;
  /** The API key, sealed. Null for the sample. */
  sealed_key: Buffer | null;
  is_active: Generated<boolean>;
  login: string | null;
  health_status: Generated<'ok' | 'warning' | 'error' | 'unknown'>;
  health_message: string | null;
  health_cause: 'token_refused' | null;
  health_checked_at: Instant | null;
  missing_permissions: Generated<string[]>;
  /** Result of writing with the stored key. */
  write_access: Generated<'unknown' | 'works' | 'refused'>;
  /** Error sentence of the tracker while writing is refused. */
  write_refusal: string | null;
  sync_state: Generated<SyncState>;
  sync_done: number | null;
  sync_total: number | null;
  sync_finished_at: Instant | null;
  sync_error: string | null;
  /** Number of consecutive syncs that could not read anything. */
  sync_failures: Generated<number>;
  /** Secret that the tracker signs its webhook calls with, sealed. Null until it is needed. */
  sealed_webhook_secret: Buffer | null;
  /** Increases each time the secret is replaced. */
  webhook_secret_version: Generated<number>;
  /** The previous secret, sealed, while it may still be in use. */
  sealed_former_webhook_secret: Buffer | null;
  webhook_secret_replaced_at: Instant | null;
  webhook_state: Generated<WebhookState>;
  /** Time when a webhook last reported something in scope. */
  webhook_event_at: Instant | null;
  created_at: InstantByDefault;
  updated_at: InstantByDefault;
}

export interface ScopeRuleTable {
  account_id: string;
  id: string;
  tracker_id: string;
  position: number;
  rule_type: 'INCLUDE' | 'EXCLUDE';
  scope_type: 'ORGANIZATION' | 'PROJECT';
  identifier: string;
}

export interface OrganizationTable {
  account_id: string;
  id: string;
  tracker_id: string;
  identifier: string;
  name: string;
}

export interface ProjectTable {
  account_id: string;
  id: string;
  tracker_id: string;
  organization_id: string;
  external_id: string;
  identifier: string;
  name: string;
  /** Position at which the provider continues to read issues. Opaque to other code. */
  issues_cursor: string | null;
  comments_cursor: string | null;
  /** Start of the last walk that read every issue updated since the walk before. */
  issues_synced_at: Instant | null;
  /** Issue cursor up to which all comments were read. */
  comments_as_of: string | null;
  /**
   * Time when the stored issues are next compared with the tracker. Null before the first schedule.
   */
  reconcile_after: Instant | null;
  /**
   * Position of an unfinished walk through all items of the tracker. `''` if only its results
   * remain to be processed.
   */
  present_cursor: string | null;
  /** Number of items that the tracker counts but does not list, by the last such walk. */
  count_surplus: Generated<number>;
  /** Time since when the tracker reports that the project does not exist. */
  gone_since: Instant | null;
  /**
   * Time since when the quota leaves out new issues, and the cursor before that, from which reading
   * continues with more quota.
   */
  left_out_since: Instant | null;
  left_out_issues_cursor: string | null;
  left_out_comments_cursor: string | null;
  created_at: InstantByDefault;
}

/** State of a project's webhook. It outlives the project, since its hook must then be removed. */
export interface ProjectWebhookTable {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
  /** `refused`: the credentials lack permission, so the project is polled. */
  state: 'registered' | 'refused' | 'failed';
  /** Our address for its calls. */
  url: string;
  /** Address of the tracker when the webhook was created. */
  tracker_url: string;
  hook_id: string | null;
  /** SHA-256 of the connection that it was created with. */
  credentials_hash: Buffer;
  /** Version of the secret that it uses. */
  secret_version: number;
  /** Reason why there is none, as the tracker's sentence. */
  problem: string | null;
  /** Time when it was created or last confirmed. Null if it must be checked. */
  checked_at: Instant | null;
  /**
   * Time of the first change that polling found and the webhook did not report. Null while it
   * works.
   */
  missed_since: Instant | null;
  /** True if it has failed to report for so long that it counts as broken. */
  is_silent: Generated<boolean>;
}

/** A received delivery, stored to ignore repetitions. */
export interface WebhookDeliveryTable {
  account_id: string;
  tracker_id: string;
  /** Id from the tracker, or a hash of the body if it sends none. */
  delivery_id: string;
  received_at: Instant;
}

/** An event in a tracker, in the order of arrival. */
export interface TrackerEventTable {
  account_id: string;
  id: Generated<number>;
  project_id: string;
  type: TrackerEventType;
  issue_external_id: string | null;
  comment_external_id: string | null;
  actor: string | null;
  /**
   * Lower bound of the time, if polling found the change. `occurred_at` is the upper bound. Null if
   * the time is known.
   */
  happened_after: Instant | null;
  occurred_at: Instant;
  received_at: Instant;
  source: 'webhook' | 'polling' | 'analysis';
  details: JSONColumnType<Record<string, string>>;
  /** Step of a change that caused it, if known. */
  step_id: string | null;
  /** Identifies an event regardless of its source. */
  event_key: string;
  /** Number of webhook deliveries that reported it. */
  deliveries: Generated<number>;
  /** Time when its subject was read from the tracker. Null while pending. */
  handled_at: Instant | null;
  /** Time when the matching flows were started. Null while pending. */
  matched_at: Generated<Date | null>;
  /**
   * Stored state of the issue when a webhook reported the event. Null if it was unknown, or if
   * polling found the event.
   */
  known_standing: string | null;
}
