import { expect } from 'vitest';
import {
  type IssueTarget,
  type LinkKind,
  type Page,
  type Provider,
  type ProviderComment,
  type ProviderIssue,
  type ProviderProject,
  TrackerError,
} from '../../provider.ts';

/** Another user of the tracker, who changes and inspects it without using the provider. */
export interface TrackerUser {
  /** Adds an open issue and returns its external id. */
  addIssue(title: string): Promise<string>;
  renameIssue(externalId: string, title: string): Promise<void>;
  removeIssue(externalId: string): Promise<void>;
  /** Returns the comment's external id. */
  addComment(issueExternalId: string, body: string): Promise<string>;
  /** Returns the titles of all issues of the project, by external id. */
  titles(): Promise<Map<string, string>>;
  /** Returns the issue ids of all comments of the project, by external id of the comment. */
  comments(): Promise<Map<string, string>>;
  inspect(externalId: string): Promise<{ isClosed: boolean; duplicateOf: string | null; comments: string[] }>;
}

/**
 * A tracker with a project of more than two pages of issues and at least one comment, and a
 * provider for it.
 */
export interface ProviderContext {
  provider: Provider;
  organization: string;
  project: ProviderProject;
  otherUser: TrackerUser;
  /** Key of an issue. Default: the project's identifier, `#` and the external id. */
  keyOf?: (externalId: string) => string;
  /** Two logins that can be assigned to an issue, and one that cannot. */
  people: { assignable: readonly [string, string]; outsider: string };
  /** False if an issue can have only one assignee. Default: true. */
  severalAssignees?: boolean;
  /** How a created link is reported for its source, or null if this link is not supported. */
  links: { blocks: LinkKind; duplicates: LinkKind | null };
  /** Number of requests sent to the tracker, or null if they are not counted. */
  requests: () => number | null;
  /**
   * Number of listings that contain the tracker's issues. Each takes one request. Default: 1.
   */
  listings?: number;
  /** Advances the tracker's clock. */
  pass: (ms: number) => void;
  now: () => Date;
  dispose: () => Promise<void>;
}

/** Shared by the parts of the suite: the context of the current test, with shortcuts. */
export interface Suite {
  readonly context: ProviderContext;
  target(externalId: string): IssueTarget;
  issues(cursor: string | null): Promise<Page<ProviderIssue>>;
  comments(cursor: string | null): Promise<Page<ProviderComment>>;
  externalIds(cursor: string | null): Promise<Page<string>>;
  /** Returns the current issue without fields that listings omit. It must exist. */
  read(externalId: string): Promise<ProviderIssue>;
  /** Returns the external ids of some issues of the project. */
  someIssues(count: number): Promise<string[]>;
  /** Expects `work` to take this many requests, if they are counted. */
  expectRequests<T>(count: number, work: () => Promise<T>): Promise<T>;
}

/** Creates the suite for the context returned by `contextOf` during a test. */
export function suiteOf(contextOf: () => ProviderContext): Suite {
  const target = (externalId: string): IssueTarget => {
    const { project, keyOf } = contextOf();
    const key = keyOf?.(externalId) ?? `${project.identifier}#${externalId}`;
    return { project, externalId, key };
  };
  return {
    get context() {
      return contextOf();
    },
    target,
    issues: (cursor) => contextOf().provider.issues(contextOf().project, cursor, never()),
    comments: (cursor) => contextOf().provider.comments(contextOf().project, cursor, never()),
    externalIds: (cursor) => contextOf().provider.externalIds(contextOf().project, cursor, never()),
    async read(externalId) {
      const issue = await contextOf().provider.issue(target(externalId), never());
      if (issue === null) throw new Error(`The issue ${externalId} does not exist.`);
      const { nativeDescription: _, ...listed } = issue;
      return listed;
    },
    someIssues: async (count) => [...(await contextOf().otherUser.titles()).keys()].slice(0, count),
    async expectRequests(count, work) {
      const before = contextOf().requests();
      const answer = await work();
      const after = contextOf().requests();
      if (before !== null && after !== null) expect(after - before).toBe(count);
      return answer;
    },
  };
}

/** Returns a signal that never aborts. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Reads pages until the listing is done. `between` runs after each page but the last. */
export async function readToEnd<T>(
  list: (cursor: string | null) => Promise<Page<T>>,
  from: string | null,
  between: (page: Page<T>) => Promise<void> = async () => undefined,
): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  for (let cursor = from; pages.length < 500; ) {
    const page = await list(cursor);
    pages.push(page);
    if (page.done) return pages;
    cursor = page.cursor;
    await between(page);
  }
  throw new Error('The listing does not end.');
}

/** Returns the `TrackerError` with which the call fails. */
export async function expectFailure(
  call: Promise<unknown>,
  code: TrackerError['code'],
): Promise<TrackerError> {
  const error = await call.then(
    () => new Error('It succeeded.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof TrackerError)) throw error;
  expect(error.code).toBe(code);
  return error;
}
