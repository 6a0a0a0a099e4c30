import type { CloseReason } from '@winnow/contract/change';
import type { IssueState } from '@winnow/contract/issue';
import type { TrackerType } from '@winnow/contract/tracker';
import type { TrackerEventType } from '@winnow/contract/tracker-event';

export type { TrackerEventType } from '@winnow/contract/tracker-event';

/**
 * Address and credentials of a tracker. The API key is decrypted: never log or store this object.
 */
export interface Connection {
  accountId: string;
  trackerId: string | null;
  url: string;
  username: string | null;
  apiKey: string;
}

/** Result of a connection check that succeeded. */
export interface ConnectionCheck {
  /** Login of the token's owner. */
  login: string;
  /** Required permissions that are known to be missing, in the tracker's own words. */
  missingPermissions: string[];
  /**
   * True if `missingPermissions` would include a missing write permission. If false, a missing
   * write permission becomes known only when the tracker refuses a write.
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

/** Current state of an issue, in a form that is the same for all trackers. */
export interface ProviderIssue {
  externalId: string;
  key: string;
  title: string;
  /** Description as Markdown. Empty if the issue has none. */
  description: string;
  /**
   * Description in the tracker's own format, if that format supports more than Markdown. Set only
   * if the issue was read on its own, not in a listing.
   */
  nativeDescription?: string;
  status: string;
  state: IssueState;
  /**
   * The tracker's name for the type, such as `issue` or `bug`. `change_request` for pull and merge
   * requests.
   */
  issueType: string;
  priority: string | null;
  labels: string[];
  assignees: string[];
  author: string | null;
  url: string;
  parentKey: string | null;
  /**
   * True if the issue was closed as a duplicate, even if the tracker does not report the original.
   */
  isDuplicate: boolean;
  /** Key of the original, if the issue was closed as a duplicate. Null if unknown. */
  duplicateOf: string | null;
  commentsCount: number;
  /** Number of positive reactions or votes. 0 if the tracker has no such feature. */
  reactions: number;
  /** Name of the milestone, iteration or version that the issue is planned for. */
  milestone: string | null;
  /** True if only members of the project may comment. */
  isLocked: boolean;
  /** True if the tracker records that the issue was closed as completed. */
  isCompleted: boolean;
  /**
   * Time when the issue was last closed. Null if the issue is open, or the tracker does not report
   * the time.
   */
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
 * One page of a listing. The listing never ends, because later changes extend it. If `done` is
 * false, pass `cursor` immediately to read the next page. If `done` is true, pass it in the next
 * sync.
 *
 * A cursor is opaque and survives restarts. It may lead to items that were already read, but never
 * skips any.
 */
export interface Page<T> {
  items: T[];
  cursor: string;
  done: boolean;
  /** Number of items on this page and all later pages. Null if the tracker does not report it. */
  total: number | null;
}

/** A page of issues and change requests. */
export interface IssuePage extends Page<ProviderIssue> {
  /**
   * External ids of issues that the tracker lists although they have left the project. `items` does
   * not contain them.
   */
  gone?: string[];
}

/** Identifies an issue in a tracker, for reads and writes of that issue. */
export interface IssueTarget {
  project: ProviderProject;
  externalId: string;
  key: string;
}

/** A user who can be assigned to an issue. */
export interface ProviderUser {
  externalId: string;
  /** Name of the user as it occurs in `assignees` of an issue. */
  login: string;
  name: string;
}

/** Relation of an issue to the issue at the other end of a link. */
export type LinkKind = 'blocks' | 'blocked_by' | 'duplicates' | 'duplicated_by' | 'related';

export interface ProviderLink {
  kind: LinkKind;
  /** Key of the issue at the other end. */
  key: string;
}

/** Initial values of a new issue. */
export interface NewIssue {
  title: string;
  /** Description of the issue as Markdown. */
  description: string;
  labels: readonly string[];
  /** Logins of the assignees. */
  assignees: readonly string[];
}

/** Number of requests spent, and the tracker's rate limit. */
export interface RateLimitUse {
  /** Requests that count towards the tracker's rate limit. */
  requests: number;
  /** Requests that the tracker allows per hour. Null if the tracker does not report it. */
  hourlyLimit: number | null;
}

/** Creates and removes webhooks in a tracker. */
export interface ProviderWebhooks {
  /**
   * Creates a webhook that posts the project's events to `url`, signed with `secret`. Returns the
   * id of the webhook. If a webhook for this URL exists, it gets the new secret.
   * @throws {TrackerError} `forbidden` if the token may not manage webhooks
   */
  register(
    project: ProviderProject,
    hook: { url: string; secret: string },
    signal: AbortSignal,
  ): Promise<string>;
  /** Removes a webhook. Does nothing if the webhook is already gone. */
  remove(project: ProviderProject, hookId: string, signal: AbortSignal): Promise<void>;
}

/** A page of the ids of all issues that exist in a project. */
interface ExternalIdPage extends Page<string> {
  /** Type of issue that the token cannot see. For this type, it is unknown which issues exist. */
  hiddenType?: 'change_request';
}

/**
 * Interface to one tracker. Every method takes a signal. If it is aborted, the method rejects with
 * the signal's reason. For other failures, it rejects with a `TrackerError`, whose message is meant
 * for users.
 *
 * Any part of the server may call the methods that read. Only the ledger may call the methods that
 * write.
 */
export interface Provider {
  readonly type: TrackerType;
  /**
   * True if a new or edited comment changes the update time of its issue. An issue with an
   * unchanged update time then has no new comments.
   */
  readonly commentsMoveIssues: boolean;
  /** Null if the tracker does not allow API tokens to register webhooks. */
  readonly webhooks: ProviderWebhooks | null;

  /** Returns the requests spent since this provider was opened. */
  rateLimitUse(): RateLimitUse;

  /** Verifies the credentials and reports missing permissions. */
  check(signal: AbortSignal): Promise<ConnectionCheck>;
  organizations(signal: AbortSignal): Promise<ProviderOrganization[]>;
  projects(organizationIdentifier: string, signal: AbortSignal): Promise<ProviderProject[]>;

  /**
   * Lists issues and change requests in the order of their update times. A null cursor starts at
   * the beginning.
   */
  issues(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<IssuePage>;
  comments(
    project: ProviderProject,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<Page<ProviderComment>>;
  /**
   * Returns the current state of an issue. Returns null if the issue has left its project or was
   * deleted.
   * @throws {TrackerError} `forbidden` if issues are turned off in the project. The tracker then
   * hides all issues, and this issue may still exist
   */
  issue(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue | null>;

  /**
   * Finds a project by its external id and returns its current name. Finds an archived project as
   * well. Returns null if the project is gone or hidden from the token.
   */
  project(project: ProviderProject, signal: AbortSignal): Promise<ProviderProject | null>;
  /**
   * Returns the number of items that `issues` lists in total. Takes one request per listing of the
   * tracker. Returns null if the tracker does not report the number.
   */
  count(project: ProviderProject, signal: AbortSignal): Promise<number | null>;
  /** Lists the external ids of all items that `issues` lists. Takes as few requests as possible. */
  externalIds(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<ExternalIdPage>;
  /**
   * Returns the links of an issue. Includes links that the tracker shows only in the issue's text
   * or history.
   */
  links(target: IssueTarget, signal: AbortSignal): Promise<ProviderLink[]>;
  /**
   * Returns users who can be assigned to issues of the project. Matches the beginning of the login
   * or name. Returns at most 100 users.
   */
  assignableUsers(project: ProviderProject, query: string, signal: AbortSignal): Promise<ProviderUser[]>;

  /**
   * Checks, before a change starts, that the token may comment on or close the issue.
   * @throws {TrackerError} `forbidden` if it may not
   * @throws {TrackerError} `invalid` if a user must first change something in the tracker
   */
  expectWritable(target: IssueTarget, write: 'comment' | 'close', signal: AbortSignal): Promise<void>;

  // Methods that write. Only the ledger calls them.

  /**
   * Posts a comment with a hidden `marker` (see `comment-marker.ts`) and returns the id of the
   * comment.
   */
  comment(target: IssueTarget, body: string, marker: string, signal: AbortSignal): Promise<string>;
  /**
   * Returns the id of the comment that has this marker. Considers only comments posted after
   * `postedAfter` by our clock. Returns null if none is found.
   */
  findComment(
    target: IssueTarget,
    marker: string,
    postedAfter: Date,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Deletes a comment that Winnow posted. Does nothing if the comment is already gone. */
  deleteComment(target: IssueTarget, commentExternalId: string, signal: AbortSignal): Promise<void>;
  /**
   * Closes the issue as a duplicate of `original`, in the way that the tracker provides. Returns
   * the new state of the issue. Idempotent.
   */
  closeAsDuplicate(target: IssueTarget, original: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;
  /**
   * Closes the issue and returns its new state. Records the reason if the tracker supports that.
   * Idempotent.
   */
  close(target: IssueTarget, reason: CloseReason, signal: AbortSignal): Promise<ProviderIssue>;
  reopen(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;

  /**
   * Replaces the title, the description or both. If `nativeDescription` is the previous
   * description, its unchanged parts keep their original formatting.
   */
  edit(
    target: IssueTarget,
    text: { title?: string; description?: string; nativeDescription?: string },
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /**
   * Creates a link. The target then blocks the other issue, or is a duplicate of the other issue.
   */
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
   * Replaces all assignees of the issue by these logins.
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
  /**
   * Returns the issue that has this marker. Considers only issues created after `createdAfter` by
   * our clock. Returns null if none is found.
   */
  findCreated(
    project: ProviderProject,
    marker: string,
    createdAfter: Date,
    signal: AbortSignal,
  ): Promise<ProviderIssue | null>;
}

/** Methods that write to issues, except those for links. */
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
  /** Issue or change request that the event is about. Null for a push. */
  issueExternalId: string | null;
  /** Login of the user who caused the event. */
  actor: string | null;
  /**
   * Time of the event. Null if the tracker does not report it; the time of receipt is then used.
   */
  occurredAt: Date | null;
  /** Comment that the event is about, if any. */
  commentExternalId?: string;
  /** Id of the last commit of a push. */
  head?: string;
  /** Details that flows can use: title, URL, branch, commits, comment text. */
  details: Record<string, string>;
}

/** A webhook request that was verified and parsed. */
export interface WebhookDelivery {
  /**
   * Delivery id that the tracker sent. A repeated delivery has the same id. Null if the tracker
   * sends no id.
   */
  id: string | null;
  /** Events of the delivery. Empty if Winnow does not use any of them. */
  events: TrackerEvent[];
}

/** A request that a tracker sent to our webhook URL. */
export interface WebhookRequest {
  headers: Record<string, string | string[] | undefined>;
  /** Value of the URL parameter `secret`, if present. */
  addressSecret?: string | undefined;
  body: Buffer;
}

/** Webhook format of a tracker type. */
export interface WebhookFormat {
  /** Events that a user must select when creating the webhook, as the tracker's page names them. */
  readonly events: readonly string[];
  /**
   * True if the secret is part of the URL (`?secret=…`). Some versions of the tracker have no field
   * for a secret.
   */
  readonly isSecretInAddress: boolean;
  /**
   * Verifies and parses a delivery. Returns null if its secret or signature is wrong. Compares in
   * constant time.
   * @throws {TrackerError} `malformed` if the delivery is authentic but unreadable
   */
  read(request: WebhookRequest, secret: string): WebhookDelivery | null;
}

/** Cause of a failed call to a tracker. It determines if a retry can succeed. */
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
  /** Time from which a retry makes sense, if the tracker reported one. */
  readonly retryAt: Date | null;
  /** Body of the tracker's response, for use by providers only. It is never displayed. */
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

  /** True if the same call may succeed later, without a change by the user. */
  get transient(): boolean {
    return (
      this.code === 'rate_limited' ||
      this.code === 'unreachable' ||
      this.code === 'server_error' ||
      this.code === 'malformed'
    );
  }
}
