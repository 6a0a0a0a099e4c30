import type { CloseReason } from '@winnow/contract/change';
import type { IssueState } from '@winnow/contract/issue';
import type { TrackerType } from '@winnow/contract/tracker';
import type { TrackerEventType } from '@winnow/contract/tracker-event';

export type { TrackerEventType } from '@winnow/contract/tracker-event';

/** Credentials of a tracker. The key is decrypted: never log or store this. */
export interface Connection {
  accountId: string;
  trackerId: string | null;
  url: string;
  username: string | null;
  apiKey: string;
}

/** Result of a successful connection check. */
export interface ConnectionCheck {
  /** Login of the token's owner. */
  login: string;
  /** Required permissions known to be missing, in the tracker's own words. */
  missingPermissions: string[];
  /**
   * True if a missing write permission would be listed. Otherwise only a refused write reveals
   * it.
   */
  reportsWriteAccess: boolean;
}

export interface ProviderOrganization {
  identifier: string;
  name: string;
}

export interface ProviderProject {
  externalId: string;
  identifier: string;
  name: string;
}

/** The current state of an issue, in Winnow's terms. */
export interface ProviderIssue {
  externalId: string;
  key: string;
  title: string;
  /** Markdown; empty if there is none. */
  description: string;
  /**
   * Description in the tracker's format, if that can express more than Markdown. Only set for
   * single issues.
   */
  nativeDescription?: string;
  status: string;
  state: IssueState;
  /** The tracker's type, such as `issue` or `bug`, or `change_request`. */
  issueType: string;
  priority: string | null;
  labels: string[];
  assignees: string[];
  author: string | null;
  url: string;
  parentKey: string | null;
  /** True if closed as a duplicate, even if the tracker does not report the original. */
  isDuplicate: boolean;
  /** Key of the issue that this one was closed as a duplicate of, or null if unknown. */
  duplicateOf: string | null;
  commentsCount: number;
  /** Number of reactions or votes in favor of the issue. 0 if the tracker has none. */
  reactions: number;
  /** Name of the milestone, iteration or version it is planned for. */
  milestone: string | null;
  /** True if only members may comment. */
  isLocked: boolean;
  /** True if the tracker records that it was closed as completed. */
  isCompleted: boolean;
  /** Time of the last closing. Null while open, or if the tracker does not report it. */
  closedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface ProviderComment {
  externalId: string;
  issueExternalId: string;
  author: string | null;
  body: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * One page of a listing that never ends. If `done` is false, pass `cursor` immediately to read the
 * next page; otherwise pass it in the next sync. A cursor is opaque and survives restarts. It may
 * repeat items but never skips any.
 */
export interface Page<T> {
  items: T[];
  cursor: string;
  done: boolean;
  /** Number of items from this page on, or null if the tracker does not report it. */
  total: number | null;
}

/** A page of issues. */
export interface IssuePage extends Page<ProviderIssue> {
  /** External ids of listed issues that have left the project. They are not among `items`. */
  gone?: string[];
}

/** Identifies an issue for a write. */
export interface IssueTarget {
  project: ProviderProject;
  externalId: string;
  key: string;
}

/** A user who can be assigned to an issue. */
export interface ProviderUser {
  externalId: string;
  /** Name used in an issue's `assignees`. */
  login: string;
  name: string;
}

/** Relation of an issue to the other end of a link. */
export type LinkKind = 'blocks' | 'blocked_by' | 'duplicates' | 'duplicated_by' | 'related';

export interface ProviderLink {
  kind: LinkKind;
  /** Key of the issue at the other end. */
  key: string;
}

/** Initial values of a new issue. */
export interface NewIssue {
  title: string;
  /** Markdown. */
  description: string;
  labels: readonly string[];
  /** Logins. */
  assignees: readonly string[];
}

/** Use of the tracker's rate limit. */
export interface RateLimitUse {
  /** Requests counted by the tracker. */
  requests: number;
  /** Requests allowed per hour, or null if the tracker does not report it. */
  hourlyLimit: number | null;
}

/** Manages webhooks in a tracker. */
export interface ProviderWebhooks {
  /**
   * Creates a webhook that posts the project's events to `url`, signed with `secret`, and returns
   * its id. An existing webhook for this URL gets the new secret.
   * @throws {TrackerError} `forbidden` if the token may not
   */
  register(
    project: ProviderProject,
    hook: { url: string; secret: string },
    signal: AbortSignal,
  ): Promise<string>;
  /** Removes a webhook. It is no error if it is already gone. */
  remove(project: ProviderProject, hookId: string, signal: AbortSignal): Promise<void>;
}

/** A page of ids of existing issues. */
interface ExternalIdPage extends Page<string> {
  /** Issue type hidden from the token: it is unknown which issues of this type exist. */
  hiddenType?: 'change_request';
}

/**
 * The interface to one tracker. Every method takes a signal and rejects with the signal's reason
 * when aborted. Other failures are `TrackerError`s with a user-readable message. Any part of the
 * server may call methods that read; only the ledger may call methods that write.
 */
export interface Provider {
  readonly type: TrackerType;
  /**
   * True if a new or edited comment changes its issue's update time, so that unchanged issues
   * have no new comments.
   */
  readonly commentsMoveIssues: boolean;
  /** Null if the tracker does not let an API token register webhooks. */
  readonly webhooks: ProviderWebhooks | null;

  /** Returns the requests spent since the provider was opened. */
  rateLimitUse(): RateLimitUse;

  /** Verifies the credentials and reports missing permissions. */
  check(signal: AbortSignal): Promise<ConnectionCheck>;
  organizations(signal: AbortSignal): Promise<ProviderOrganization[]>;
  projects(organizationIdentifier: string, signal: AbortSignal): Promise<ProviderProject[]>;

  /** Lists issues and change requests by update time, from `cursor` or from the start. */
  issues(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<IssuePage>;
  comments(
    project: ProviderProject,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<Page<ProviderComment>>;
  /**
   * Returns the current state of an issue, or null if it is gone from its project.
   * @throws {TrackerError} `forbidden` if the tracker hides all issues of the project because
   * issues are turned off. The issue may still exist then.
   */
  issue(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue | null>;

  /**
   * Finds a project by external id under its current name, even if it is archived and unlisted.
   * Returns null if it is gone or hidden from the token.
   */
  project(project: ProviderProject, signal: AbortSignal): Promise<ProviderProject | null>;
  /**
   * Returns the number of items that `issues` lists in total, with one request. Null if the tracker
   * does not report it.
   */
  count(project: ProviderProject, signal: AbortSignal): Promise<number | null>;
  /**
   * Lists the external ids of all items that `issues` lists, page by page, as cheaply as
   * possible.
   */
  externalIds(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<ExternalIdPage>;
  /** Returns an issue's links, including those that the tracker shows in its text or history. */
  links(target: IssueTarget, signal: AbortSignal): Promise<ProviderLink[]>;
  /**
   * Returns users who can be assigned to issues of the project, by prefix of login or name; at
   * most 100.
   */
  assignableUsers(project: ProviderProject, query: string, signal: AbortSignal): Promise<ProviderUser[]>;

  /**
   * Checks before a change starts that a comment or a closing can be written.
   * @throws {TrackerError} `forbidden`, or `invalid` if someone must act in the tracker first
   */
  expectWritable(target: IssueTarget, write: 'comment' | 'close', signal: AbortSignal): Promise<void>;

  // ---- writes: only the ledger calls these ----

  /** Posts a comment with a hidden `marker` (see `comment-marker.ts`) and returns its id. */
  comment(target: IssueTarget, body: string, marker: string, signal: AbortSignal): Promise<string>;
  /**
   * Returns the id of the comment with `marker` posted since `postedAfter` (our clock), or null.
   */
  findComment(
    target: IssueTarget,
    marker: string,
    postedAfter: Date,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Deletes one of our comments. It is no error if it is already gone. */
  deleteComment(target: IssueTarget, commentExternalId: string, signal: AbortSignal): Promise<void>;
  /**
   * Closes the issue as a duplicate of `original` in the tracker's way and returns its new state.
   * Idempotent.
   */
  closeAsDuplicate(target: IssueTarget, original: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;
  /**
   * Closes the issue and returns its new state. The reason is recorded if the tracker supports
   * it. Idempotent.
   */
  close(target: IssueTarget, reason: CloseReason, signal: AbortSignal): Promise<ProviderIssue>;
  reopen(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;

  /**
   * Replaces title, description or both. With the previous `nativeDescription`, unchanged parts
   * of the description retain their original formatting.
   */
  edit(
    target: IssueTarget,
    text: { title?: string; description?: string; nativeDescription?: string },
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** Creates a link: the target blocks the other issue, or is a duplicate of it. */
  link(
    target: IssueTarget,
    kind: 'blocks' | 'duplicates',
    other: IssueTarget,
    signal: AbortSignal,
  ): Promise<void>;
  unlink(
    target: IssueTarget,
    kind: 'blocks' | 'duplicates',
    other: IssueTarget,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Replaces all assignees by these logins.
   * @throws {TrackerError} `invalid`, naming a login that cannot be assigned
   */
  assign(target: IssueTarget, logins: readonly string[], signal: AbortSignal): Promise<ProviderIssue>;
  changeLabels(
    target: IssueTarget,
    labels: { add: readonly string[]; remove: readonly string[] },
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** Creates an issue with a hidden `marker`. */
  create(
    project: ProviderProject,
    issue: NewIssue,
    marker: string,
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** Returns the issue with `marker` created since `createdAfter` (our clock), or null. */
  findCreated(
    project: ProviderProject,
    marker: string,
    createdAfter: Date,
    signal: AbortSignal,
  ): Promise<ProviderIssue | null>;
}

/** Methods that write to issues, except for links. */
export type IssueWrites = Pick<
  Provider,
  | 'edit'
  | 'assign'
  | 'changeLabels'
  | 'create'
  | 'findCreated'
  | 'comment'
  | 'findComment'
  | 'deleteComment'
  | 'closeAsDuplicate'
  | 'close'
  | 'reopen'
>;

/** An event delivered by a webhook. */
export interface TrackerEvent {
  type: TrackerEventType;
  project: { externalId: string; identifier: string };
  /** The issue or change request concerned; null for pushes. */
  issueExternalId: string | null;
  /** Login of the person who caused it. */
  actor: string | null;
  /** Null if the tracker does not report it. The time of receipt is used instead. */
  occurredAt: Date | null;
  /** The comment concerned, if any. */
  commentExternalId?: string;
  /** Last commit of a push. */
  head?: string;
  /** Details available to flows: title, url, branch, commits, comment text. */
  details: Record<string, string>;
}

/** A verified and parsed webhook request. */
export interface WebhookDelivery {
  /** The tracker's delivery id, the same for redeliveries, or null if it sends none. */
  id: string | null;
  /** Empty for irrelevant deliveries. */
  events: TrackerEvent[];
}

/** A request to our webhook URL. */
export interface WebhookRequest {
  headers: Record<string, string | string[] | undefined>;
  /** The `secret` parameter of the URL, if present. */
  addressSecret?: string | undefined;
  body: Buffer;
}

/** Webhook format of a tracker type. */
export interface WebhookFormat {
  /** Events to select when creating the webhook, as named on the tracker's page. */
  readonly events: readonly string[];
  /**
   * True if the secret is part of the URL (`?secret=…`), because the tracker may have no field
   * for it.
   */
  readonly isSecretInAddress: boolean;
  /**
   * Verifies and parses a delivery. Returns null if its secret or signature is wrong, which is
   * compared in constant time.
   * @throws {TrackerError} `malformed` if it is authentic but unreadable
   */
  read(request: WebhookRequest, secret: string): WebhookDelivery | null;
}

/** Cause of a failed call to a tracker. The code determines whether a retry may help. */
export type TrackerErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'unsupported'
  | 'rate_limited'
  | 'unreachable'
  | 'refused'
  | 'server_error'
  | 'malformed';

/** A failed call to a tracker, with a message for users. */
export class TrackerError extends Error {
  override readonly name = 'TrackerError';
  readonly code: TrackerErrorCode;
  /** Time for a retry, if the tracker named one. */
  readonly retryAt: Date | null;
  /** The tracker's response body, for providers only; never displayed. */
  readonly answer: string;

  constructor(
    code: TrackerErrorCode,
    sentence: string,
    options: { retryAt?: Date | null; answer?: string; cause?: unknown } = {},
  ) {
    super(sentence, { cause: options.cause });
    this.code = code;
    this.retryAt = options.retryAt ?? null;
    this.answer = options.answer ?? '';
  }

  /** True if the same call may succeed later without any change. */
  get transient(): boolean {
    return (
      this.code === 'rate_limited' ||
      this.code === 'unreachable' ||
      this.code === 'server_error' ||
      this.code === 'malformed'
    );
  }
}
