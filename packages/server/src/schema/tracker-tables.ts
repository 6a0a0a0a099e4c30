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
  /** Encrypted API key. Null for the sample backlog. */
  sealed_key: Buffer | null;
  is_active: Generated<boolean>;
  login: string | null;
  health_status: Generated<'ok' | 'warning' | 'error' | 'unknown'>;
  health_message: string | null;
  health_cause: 'token_refused' | null;
  health_checked_at: Instant | null;
  missing_permissions: Generated<string[]>;
  /** Outcome of the last write with the stored API key. */
  write_access: Generated<'unknown' | 'works' | 'refused'>;
  /**
   * Error message of the tracker when it refused a write. Null if the last write was not refused.
   */
  write_refusal: string | null;
  sync_state: Generated<SyncState>;
  sync_done: number | null;
  sync_total: number | null;
  sync_finished_at: Instant | null;
  sync_error: string | null;
  /** Number of syncs in a row that could not read anything. */
  sync_failures: Generated<number>;
  /**
   * Encrypted secret, with which the tracker signs its webhook deliveries. Null until the first
   * webhook is created.
   */
  sealed_webhook_secret: Buffer | null;
  /** Version of the webhook secret. Increases when the secret is replaced. */
  webhook_secret_version: Generated<number>;
  /** Encrypted previous webhook secret, while the tracker may still use it. */
  sealed_former_webhook_secret: Buffer | null;
  webhook_secret_replaced_at: Instant | null;
  webhook_state: Generated<WebhookState>;
  /** Time when a webhook last reported an event in scope. */
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
  /** Cursor from which the next sync reads issues. Only the provider understands its format. */
  issues_cursor: string | null;
  comments_cursor: string | null;
  /** Start time of the last sync that read all changed issues. */
  issues_synced_at: Instant | null;
  /** Value of `issues_cursor` at the time when all comments were last read. */
  comments_as_of: string | null;
  /**
   * Time of the next comparison between stored issues and the tracker. Null until it is scheduled.
   */
  reconcile_after: Instant | null;
  /**
   * Cursor of an unfinished listing of all items of the project. Null if no listing is in progress.
   * An empty string means that the listing is complete, but its results are not processed yet.
   */
  present_cursor: string | null;
  /**
   * Number of items that the last such listing did not contain, although the tracker counts them.
   */
  count_surplus: Generated<number>;
  /** Time since when the project has been missing in its tracker. Null if it is not missing. */
  gone_since: Instant | null;
  /**
   * Time since when new issues are skipped, because the plan's quota is used up. Null if none are
   * skipped.
   *
   * The next two columns are the cursors at that time. Once quota is available, reading continues
   * from them.
   */
  left_out_since: Instant | null;
  left_out_issues_cursor: string | null;
  left_out_comments_cursor: string | null;
  created_at: InstantByDefault;
}

/**
 * State of a project's webhook. The row remains after the project is deleted, until the webhook is
 * removed from the tracker.
 */
export interface ProjectWebhookTable {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
  /** `refused` means that the credentials may not create webhooks. The project is then polled. */
  state: 'registered' | 'refused' | 'failed';
  /** URL of Winnow that the tracker delivers events to. */
  url: string;
  /** URL of the tracker when the webhook was created. */
  tracker_url: string;
  hook_id: string | null;
  /** SHA-256 of the URL, user and API key with which the webhook was created. */
  credentials_hash: Buffer;
  /** Version of the secret with which the tracker signs deliveries of this webhook. */
  secret_version: number;
  /** Error message of the tracker, if it refused to create the webhook. */
  problem: string | null;
  /** Time when the webhook was created or last verified. Null if it must be verified. */
  checked_at: Instant | null;
  /**
   * Time of the first change that polling found, but that the webhook had not reported. Null if the
   * webhook reported all changes.
   */
  missed_since: Instant | null;
  /**
   * True if the webhook counts as broken: it missed a change and has delivered nothing for a long
   * time since.
   */
  is_silent: Generated<boolean>;
}

/**
 * A webhook delivery that was received. It is stored so that a repeated delivery can be ignored.
 */
export interface WebhookDeliveryTable {
  account_id: string;
  tracker_id: string;
  /** Id that the tracker sent with the delivery. If it sends none, a hash of the body. */
  delivery_id: string;
  received_at: Instant;
}

/** An event in a tracker. Later events have higher ids. */
export interface TrackerEventTable {
  account_id: string;
  id: Generated<number>;
  project_id: string;
  type: TrackerEventType;
  issue_external_id: string | null;
  comment_external_id: string | null;
  actor: string | null;
  /**
   * Earliest possible time of a change that polling found. `occurred_at` is then its latest
   * possible time. Null if the exact time is known.
   */
  happened_after: Instant | null;
  occurred_at: Instant;
  received_at: Instant;
  source: 'webhook' | 'polling' | 'analysis';
  details: JSONColumnType<Record<string, string>>;
  /**
   * Id of the step of a change by which Winnow caused the event. Null if Winnow did not cause it,
   * or if that is unknown.
   */
  step_id: string | null;
  /** Key by which the same event is recognized, whether a webhook or polling reported it. */
  event_key: string;
  /** Number of webhook deliveries that reported the event. */
  deliveries: Generated<number>;
  /**
   * Time when the issue of the event was read from the tracker. Null if that has not happened yet.
   */
  handled_at: Instant | null;
  /** Time when flows that match the event were started. Null if that has not happened yet. */
  matched_at: Generated<Date | null>;
  /**
   * State hash of the stored issue at the time when a webhook reported the event. Null if the issue
   * was not stored, or if polling found the event.
   */
  known_standing: string | null;
}
