import type { CloseReason } from '@winnow/contract/change';
import type { IssueState } from '@winnow/contract/issue';
import type { TrackerType } from '@winnow/contract/tracker';
import type { TrackerEventType } from '@winnow/contract/tracker-event';

export type { TrackerEventType } from '@winnow/contract/tracker-event';

/** What is needed to talk to a tracker. Secrets are open here: never log or store this. */
export interface Connection {
  accountId: string;
  trackerId: string | null;
  url: string;
  username: string | null;
  apiKey: string;
}

/** What a working connection told about itself. */
export interface ConnectionCheck {
  /** Who we are there. */
  login: string;
  /** Permissions we would need and are known to lack, in the tracker's own words. */
  missingPermissions: string[];
  /** Whether a permission to write that is lacking would be known. Where the tracker keeps it to itself, a refused write tells. */
  tellsWriting: boolean;
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

/** An issue in our terms, as a tracker has it now. */
export interface ProviderIssue {
  externalId: string;
  key: string;
  title: string;
  /** Markdown; empty when there is none. */
  description: string;
  /** The description in the tracker's own form, where that may say more than Markdown; told of single issues only. */
  nativeDescription?: string;
  status: string;
  state: IssueState;
  /** `issue`, `bug`, … as the tracker calls it, or `change_request`. */
  issueType: string;
  priority: string | null;
  labels: string[];
  assignees: string[];
  author: string | null;
  url: string;
  parentKey: string | null;
  /** Whether it is closed as a duplicate, also where the tracker does not tell of what. */
  isDuplicate: boolean;
  /** Key of the issue it was closed as a duplicate of; null also where the tracker does not tell. */
  duplicateOf: string | null;
  commentsCount: number;
  /** When it was closed last; null while it is open, and where the tracker does not tell. */
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
 * One page of a listing that never ends: `cursor` is where to go on, now if `done` is false, at the next sync if it
 * is true. A cursor is opaque, survives restarts, and may repeat items but never skips one.
 */
export interface Page<T> {
  items: T[];
  cursor: string;
  done: boolean;
  /** How many items there are from this page's cursor on, its own included, where the tracker tells. */
  total: number | null;
}

/** A page of issues. */
export interface IssuePage extends Page<ProviderIssue> {
  /** External ids of those that left the project and stay listed, where a tracker has such; they are not among `items`. */
  gone?: string[];
}

/** An issue as a write names it. */
export interface IssueTarget {
  project: ProviderProject;
  externalId: string;
  key: string;
}

/** Somebody an issue can be assigned to. */
export interface ProviderUser {
  externalId: string;
  /** As it stands in an issue's `assignees`. */
  login: string;
  name: string;
}

/** What an issue is to the other end of a link. */
export type LinkKind = 'blocks' | 'blocked_by' | 'duplicates' | 'duplicated_by' | 'related';

export interface ProviderLink {
  kind: LinkKind;
  /** Of the issue at the other end. */
  key: string;
}

/** What a new issue begins with. */
export interface NewIssue {
  title: string;
  /** Markdown. */
  description: string;
  labels: readonly string[];
  /** Logins. */
  assignees: readonly string[];
}

/** What work with a tracker has cost of what it allows. */
export interface Spending {
  /** Requests that the tracker counted. */
  requests: number;
  /** Requests it allows in an hour; null where it does not tell. */
  hourlyLimit: number | null;
}

/** What a tracker does by itself when something happens in a project. */
export interface ProviderWebhooks {
  /**
   * Has the tracker post the project's events to `url`, signed with `secret`. Answers the hook's id; one that is there
   * already for this address gets the new secret. `forbidden` when the token may not.
   */
  register(
    project: ProviderProject,
    hook: { url: string; secret: string },
    signal: AbortSignal,
  ): Promise<string>;
  /** Takes a hook away; one already gone is no error. */
  remove(project: ProviderProject, hookId: string, signal: AbortSignal): Promise<void>;
}

/** A page of the ids of what is there. */
export interface PresentPage extends Page<string> {
  /** A type of issue that the token may not see: of these it is unknown which are there. */
  hiddenType?: 'change_request';
}

/**
 * The port to one tracker. Every method takes a signal and gives up with the signal's reason when it fires; what else
 * goes wrong is a `TrackerError` whose sentence is fit for a person. Reads may be called by anyone; the writes below
 * the line only by the ledger.
 */
export interface Provider {
  readonly type: TrackerType;
  /** Whether a comment, new or edited, makes its issue one that was updated: where no issue is new, no comment is. */
  readonly commentsMoveIssues: boolean;
  /** Null where a token cannot have the tracker call us. */
  readonly webhooks: ProviderWebhooks | null;

  /** What was spent since the port was opened. */
  spending(): Spending;

  /** Proves that the credentials work and says what they may not do. */
  check(signal: AbortSignal): Promise<ConnectionCheck>;
  organizations(signal: AbortSignal): Promise<ProviderOrganization[]>;
  projects(organizationIdentifier: string, signal: AbortSignal): Promise<ProviderProject[]>;

  /** Issues (and change requests) in the order they were updated, from `cursor`; from the start when null. */
  issues(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<IssuePage>;
  comments(
    project: ProviderProject,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<Page<ProviderComment>>;
  /**
   * The issue as it is now; null when it is gone from its project. @throws {TrackerError} `forbidden` where the tracker shows
   * no issue of the project because they are turned off: that proves nothing.
   */
  issue(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue | null>;

  /**
   * The project as it is called now, found by its external id, also when it is archived and no longer listed; null when it
   * is gone or not to be seen.
   */
  project(project: ProviderProject, signal: AbortSignal): Promise<ProviderProject | null>;
  /** How many items `issues` lists in all, for one request; null where the tracker does not tell. */
  count(project: ProviderProject, signal: AbortSignal): Promise<number | null>;
  /** The external ids of all items `issues` lists, as cheaply as the tracker gives them, page by page from null. */
  presentIds(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<PresentPage>;
  /** The links of an issue to others, those the tracker shows with its text or its history included. */
  links(target: IssueTarget, signal: AbortSignal): Promise<ProviderLink[]>;
  /** People whom an issue of the project can be assigned to, by the beginning of a login or a name; at most 100. */
  assignableUsers(project: ProviderProject, query: string, signal: AbortSignal): Promise<ProviderUser[]>;

  /**
   * Passes when nothing is known that keeps a comment, or a closing, from being written now, so that no change is begun that
   * cannot be ended. @throws {TrackerError} with the reason: `forbidden`, or `invalid` where somebody has to do it there.
   */
  expectWritable(target: IssueTarget, write: 'comment' | 'close', signal: AbortSignal): Promise<void>;

  // ---- writes: the ledger is their only caller ----

  /** Posts a comment that carries `marker` unseen (see `comment-marker.ts`). Answers the comment's id. */
  comment(target: IssueTarget, body: string, marker: string, signal: AbortSignal): Promise<string>;
  /** The id of the comment that carries `marker`, if it was posted since `postedAfter`, a time of our clock. */
  findComment(
    target: IssueTarget,
    marker: string,
    postedAfter: Date,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Deletes a comment of ours; one already gone is no error. */
  deleteComment(target: IssueTarget, commentExternalId: string, signal: AbortSignal): Promise<void>;
  /** Closes the target as a duplicate of `original` in the tracker's own way; answers what it is now. Doing it twice is no error. */
  closeAsDuplicate(target: IssueTarget, original: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;
  /** Closes the target, for the reason where the tracker keeps one; answers what it is now. Doing it twice is no error. */
  close(target: IssueTarget, reason: CloseReason, signal: AbortSignal): Promise<ProviderIssue>;
  reopen(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;

  /**
   * Replaces the title, the description or both. With the `nativeDescription` that an issue had, what of it the description
   * says is written in that form again.
   */
  edit(
    target: IssueTarget,
    text: { title?: string; description?: string; nativeDescription?: string },
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** Says that the target blocks, or duplicates, the other. */
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
  /** Makes these logins the assignees, all of them and no others. `invalid` names one who cannot be assigned. */
  assign(target: IssueTarget, logins: readonly string[], signal: AbortSignal): Promise<ProviderIssue>;
  changeLabels(
    target: IssueTarget,
    labels: { add: readonly string[]; remove: readonly string[] },
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** Makes an issue that carries `marker` unseen. */
  create(
    project: ProviderProject,
    issue: NewIssue,
    marker: string,
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** The issue that carries `marker`, if it was made since `createdAfter`, a time of our clock. */
  findCreated(
    project: ProviderProject,
    marker: string,
    createdAfter: Date,
    signal: AbortSignal,
  ): Promise<ProviderIssue | null>;
}

/** What can be written to issues themselves; links between them are apart. */
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

/** One thing that happened, as a webhook told it. */
export interface TrackerEvent {
  type: TrackerEventType;
  project: { externalId: string; identifier: string };
  /** Which issue or change request it is about; null for pushes. */
  issueExternalId: string | null;
  /** Whose doing it was, by login. */
  actor: string | null;
  occurredAt: Date;
  /** The comment it is about, if it is about one. */
  commentExternalId?: string;
  /** The commit that a push ended at, if it is one. */
  head?: string;
  /** What a flow may read of it: title, url, branch, commits, text of the comment. */
  details: Record<string, string>;
}

/** What a request to our webhook address turned out to be. */
export interface WebhookDelivery {
  /** The tracker's own id of the delivery, the same when it delivers again; null where it sends none. */
  id: string | null;
  /** Empty for what we have no use for. */
  events: TrackerEvent[];
}

/** A request to our webhook address. */
export interface WebhookRequest {
  headers: Record<string, string | string[] | undefined>;
  /** The `secret` that stood in the address, if one did. */
  addressSecret?: string | undefined;
  body: Buffer;
}

/** How trackers of a type deliver what happens in them. */
export interface WebhookFormat {
  /** What to have a webhook tell of, in the words of the tracker's page. */
  readonly events: readonly string[];
  /** Whether the secret is pasted as a part of the address, `?secret=…`, since there may be no field for it. */
  readonly isSecretInAddress: boolean;
  /**
   * Reads a delivery. Null when it does not prove knowledge of the secret (compared in constant time).
   * @throws {TrackerError} `malformed` when it is signed and cannot be read.
   */
  read(request: WebhookRequest, secret: string): WebhookDelivery | null;
}

/** Why a tracker could not do what was asked; decides whether trying again helps. */
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

/** A failed call to a tracker, with a sentence for a person. */
export class TrackerError extends Error {
  override readonly name = 'TrackerError';
  readonly code: TrackerErrorCode;
  /** When trying again makes sense, if the tracker said so. */
  readonly retryAt: Date | null;
  /** What the tracker answered, for a provider to read; never shown. */
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

  /** Whether the same call may succeed later without anybody changing anything. */
  get transient(): boolean {
    return (
      this.code === 'rate_limited' ||
      this.code === 'unreachable' ||
      this.code === 'server_error' ||
      this.code === 'malformed'
    );
  }
}
