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
  /** Outcome of the last write with the stored key. */
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
  /** Start of the last completed read of changed issues. */
  issues_synced_at: Instant | null;
  /** Value of `issues_cursor` when all comments were last read. */
  comments_as_of: string | null;
  /**
   * Time when the stored issues are next compared with the tracker. Null before the first schedule.
   */
  reconcile_after: Instant | null;
  /**
   * Position of an unfinished listing of all items of the project; null if there is none. `''` if
   * the listing is complete but its results must still be processed.
   */
  present_cursor: string | null;
  /** Number of items that the tracker counted but did not list, in the last such listing. */
  count_surplus: Generated<number>;
  /** Time since when the tracker does not show the project. Null if it does. */
  gone_since: Instant | null;
  /**
   * Time since when new issues are left out because of the quota; null if they are not. The two
   * cursors are those before that time: reading continues there once quota is available.
   */
  left_out_since: Instant | null;
  left_out_issues_cursor: string | null;
  left_out_comments_cursor: string | null;
  created_at: InstantByDefault;
}

/**
 * State of a project's webhook. The row outlives the project, because the webhook must still be
 * removed from the tracker.
 */
export interface ProjectWebhookTable {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
  /** `refused`: the credentials may not create webhooks, so the project is polled. */
  state: 'registered' | 'refused' | 'failed';
  /** Our URL that the tracker calls. */
  url: string;
  /** URL of the tracker when the webhook was created. */
  tracker_url: string;
  hook_id: string | null;
  /** SHA-256 of the URL, user and key that it was created with. */
  credentials_hash: Buffer;
  /** Version of the secret that the webhook signs with. */
  secret_version: number;
  /** The tracker's error sentence, if the webhook could not be created. */
  problem: string | null;
  /** Time when the webhook was created or last confirmed. Null if it must be checked. */
  checked_at: Instant | null;
  /**
   * Time of the first change that polling found but the webhook did not report. Null while the
   * webhook works.
   */
  missed_since: Instant | null;
  /**
   * True if the webhook has delivered nothing for so long after a miss that it counts as broken.
   */
  is_silent: Generated<boolean>;
}

/** A received delivery. Stored so that repeated deliveries are ignored. */
export interface WebhookDeliveryTable {
  account_id: string;
  tracker_id: string;
  /** Id sent by the tracker, or a hash of the body if it sends none. */
  delivery_id: string;
  received_at: Instant;
}

/** An event in a tracker. Ids follow the order of arrival. */
export interface TrackerEventTable {
  account_id: string;
  id: Generated<number>;
  project_id: string;
  type: TrackerEventType;
  issue_external_id: string | null;
  comment_external_id: string | null;
  actor: string | null;
  /**
   * Earliest possible time of a change that polling found; `occurred_at` is then the latest. Null
   * if the time is known exactly.
   */
  happened_after: Instant | null;
  occurred_at: Instant;
  received_at: Instant;
  source: 'webhook' | 'polling' | 'analysis';
  details: JSONColumnType<Record<string, string>>;
  /** Id of our change's step that caused the event, if known. */
  step_id: string | null;
  /** Identifies the event, whether a webhook or polling reported it. */
  event_key: string;
  /** Number of webhook deliveries that reported it. */
  deliveries: Generated<number>;
  /** Time when the event's issue was read from the tracker. Null until then. */
  handled_at: Instant | null;
  /** Time when the matching flows were started. Null until then. */
  matched_at: Generated<Date | null>;
  /**
   * State hash of the stored issue when a webhook reported the event. Null if the issue was
   * unknown, or if polling found the event.
   */
  known_standing: string | null;
}
