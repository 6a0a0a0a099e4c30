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

/** Another user of the tracker. This user changes and inspects the tracker without the provider. */
export interface TrackerUser {
  /** Creates an open issue and returns its external id. */
  addIssue(title: string): Promise<string>;
  renameIssue(externalId: string, title: string): Promise<void>;
  removeIssue(externalId: string): Promise<void>;
  /** Creates a comment and returns its external id. */
  addComment(issueExternalId: string, body: string): Promise<string>;
  /** Returns the title of each issue of the project, keyed by the external id of the issue. */
  titles(): Promise<Map<string, string>>;
  /**
   * Returns the external id of the issue for each comment of the project, keyed by the external id
   * of the comment.
   */
  comments(): Promise<Map<string, string>>;
  inspect(externalId: string): Promise<{ isClosed: boolean; duplicateOf: string | null; comments: string[] }>;
}

/**
 * A tracker under test and a provider for it. The project has more than two pages of issues and at
 * least one comment.
 */
export interface ProviderContext {
  provider: Provider;
  organization: string;
  project: ProviderProject;
  otherUser: TrackerUser;
  /** Returns the key of an issue. Default: the project's identifier, `#` and the external id. */
  keyOf?: (externalId: string) => string;
  /** Logins of two users who can be assigned to an issue, and of one who cannot. */
  people: { assignable: readonly [string, string]; outsider: string };
  /** False if an issue can have only one assignee. Default: true. */
  severalAssignees?: boolean;
  /**
   * Kind of link that the provider reports at the source of a created link. Null if the tracker
   * does not support such links.
   */
  links: { blocks: LinkKind; duplicates: LinkKind | null };
  /** Returns the number of requests sent to the tracker. Null if they are not counted. */
  requests: () => number | null;
  /**
   * Number of separate listings that the tracker has for issues, such as one for issues and one for
   * merge requests. Reading one takes a request. Default: 1.
   */
  listings?: number;
  /** Advances the tracker's clock. */
  pass: (ms: number) => void;
  now: () => Date;
  dispose: () => Promise<void>;
}

/** The context of the current test, with shortcuts. All parts of the suite use it. */
export interface Suite {
  readonly context: ProviderContext;
  target(externalId: string): IssueTarget;
  issues(cursor: string | null): Promise<Page<ProviderIssue>>;
  comments(cursor: string | null): Promise<Page<ProviderComment>>;
  externalIds(cursor: string | null): Promise<Page<string>>;
  /** Returns the current state of an existing issue, without fields that listings omit. */
  read(externalId: string): Promise<ProviderIssue>;
  /** Returns the external ids of `count` issues of the project. */
  someIssues(count: number): Promise<string[]>;
  /** Runs `work` and expects that it takes this many requests, if requests are counted. */
  expectRequests<T>(count: number, work: () => Promise<T>): Promise<T>;
}

/** Creates the suite. `contextOf` returns the context of the running test. */
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

/** Reads pages until the listing is done. Calls `between` after each page except the last. */
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

/** Returns the `TrackerError` with which the call rejects. */
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
