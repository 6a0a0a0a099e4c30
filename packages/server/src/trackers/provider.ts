import type { IssueState } from '@winnow/contract/issue';
import type { TrackerType } from '@winnow/contract/tracker';

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

/** An issue as a write names it. */
export interface IssueTarget {
  project: ProviderProject;
  externalId: string;
  key: string;
}

/**
 * The port to one tracker. Every method takes a signal and gives up with the signal's reason when it fires; what else
 * goes wrong is a `TrackerError` whose sentence is fit for a person. Reads may be called by anyone; the writes below
 * the line only by the ledger.
 */
export interface Provider {
  readonly type: TrackerType;

  /** Proves that the credentials work and says what they may not do. */
  check(signal: AbortSignal): Promise<ConnectionCheck>;
  organizations(signal: AbortSignal): Promise<ProviderOrganization[]>;
  projects(organizationIdentifier: string, signal: AbortSignal): Promise<ProviderProject[]>;

  /** Issues (and change requests) in the order they were updated, from `cursor`; from the start when null. */
  issues(project: ProviderProject, cursor: string | null, signal: AbortSignal): Promise<Page<ProviderIssue>>;
  comments(
    project: ProviderProject,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<Page<ProviderComment>>;
  /** The issue as it is now; null when it is gone. */
  issue(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue | null>;

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
  /**
   * Closes the target as a duplicate of `original` in the tracker's own way; answers what it is now. Without an original,
   * which then is in another tracker, it is closed as not to be worked on. Doing it twice is no error.
   */
  closeAsDuplicate(
    target: IssueTarget,
    original: IssueTarget | null,
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  reopen(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;
}

/** Why a tracker could not do what was asked; decides whether trying again helps. */
export type TrackerErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
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
