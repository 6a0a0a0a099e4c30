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
  /** The API key, sealed; null for the sample. */
  sealed_key: Buffer | null;
  is_active: Generated<boolean>;
  login: string | null;
  health_status: Generated<'ok' | 'warning' | 'error' | 'unknown'>;
  health_message: string | null;
  health_cause: 'token_refused' | null;
  health_checked_at: Instant | null;
  missing_permissions: Generated<string[]>;
  /** What writing with the stored key has shown. */
  write_access: Generated<'unknown' | 'works' | 'refused'>;
  /** The tracker's sentence while writing is refused. */
  write_refusal: string | null;
  sync_state: Generated<SyncState>;
  sync_done: number | null;
  sync_total: number | null;
  sync_finished_at: Instant | null;
  sync_error: string | null;
  /** How many syncs in a row ended with nothing that could be read. */
  sync_failures: Generated<number>;
  /** What the tracker proves itself with when it calls us, sealed; null until it is first needed. */
  sealed_webhook_secret: Buffer | null;
  /** Grows each time the secret is replaced. */
  webhook_secret_version: Generated<number>;
  /** The secret before this one, sealed, as long as it may still be in use. */
  sealed_former_webhook_secret: Buffer | null;
  webhook_secret_replaced_at: Instant | null;
  webhook_state: Generated<WebhookState>;
  /** When a webhook last told of something in scope. */
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
  /** Where the provider goes on reading issues; its own words. */
  issues_cursor: string | null;
  comments_cursor: string | null;
  /** The cursor of issues up to which all comments were read. */
  comments_as_of: string | null;
  /** When what is stored is to be compared with what the tracker has; null before the first time is set. */
  reconcile_after: Instant | null;
  /** Where an unfinished walk through all that the tracker has goes on; `''` when only what it found is left to look at. */
  present_cursor: string | null;
  /** How many more items the tracker counts than there are, as the last such walk has shown. */
  count_surplus: Generated<number>;
  /** Since when the tracker says that there is no such project. */
  gone_since: Instant | null;
  /** Since when the plan's amount leaves out new issues, and where reading was before: there it goes on when there is more. */
  left_out_since: Instant | null;
  left_out_issues_cursor: string | null;
  left_out_comments_cursor: string | null;
  created_at: InstantByDefault;
}

/** What became of having a tracker call us about a project. It outlives the project, whose hook is then to be removed. */
export interface ProjectWebhookTable {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
  /** `refused`: the credentials may not, so the project is polled. */
  state: 'registered' | 'refused' | 'failed';
  /** Our address that it calls, or was to call. */
  url: string;
  /** The tracker's address when it was made. */
  tracker_url: string;
  hook_id: string | null;
  /** SHA-256 of the connection it was tried with. */
  credentials_hash: Buffer;
  /** Version of the secret it was given. */
  secret_version: number;
  /** Why there is none, in the tracker's sentence. */
  problem: string | null;
  /** When it was last made, or seen to be there; null where it has to be looked at. */
  checked_at: Instant | null;
  /** Since when reading finds what it should have told; null while it tells. */
  missed_since: Instant | null;
  /** It was missed for so long that it counts as one that does not work. */
  is_silent: Generated<boolean>;
}

/** A delivery that was taken in, so that the same one does nothing again. */
export interface WebhookDeliveryTable {
  account_id: string;
  tracker_id: string;
  /** The tracker's id of it, or a hash of its body where it has none. */
  delivery_id: string;
  received_at: Instant;
}

/** Something that happened in a tracker, in the order we heard of it. */
export interface TrackerEventTable {
  account_id: string;
  id: Generated<number>;
  project_id: string;
  type: TrackerEventType;
  issue_external_id: string | null;
  comment_external_id: string | null;
  actor: string | null;
  /** What reading found of an issue happened between this and `occurred_at`; null where the time is known. */
  happened_after: Instant | null;
  occurred_at: Instant;
  received_at: Instant;
  source: 'webhook' | 'polling';
  details: JSONColumnType<Record<string, string>>;
  /** The step of a change that did it, where that shows. */
  step_id: string | null;
  /** The same for the same thing, whoever tells of it. */
  event_key: string;
  /** How often webhooks told of it. */
  deliveries: Generated<number>;
  /** When what it names was read from the tracker; null while it is still to be. */
  handled_at: Instant | null;
  /** When the flows that listen were started; null while that is still to be. */
  matched_at: Generated<Date | null>;
  /** How the issue stood with us when a webhook told of it; null where it was not here, or reading found the event. */
  known_standing: string | null;
}
