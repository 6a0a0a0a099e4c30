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

/** Somebody else at work in the tracker, and a look at what it holds, both past the provider. */
export interface Backstage {
  /** Adds an open issue; answers its external id. */
  addIssue(title: string): Promise<string>;
  renameIssue(externalId: string, title: string): Promise<void>;
  removeIssue(externalId: string): Promise<void>;
  /** Answers the comment's external id. */
  addComment(issueExternalId: string, body: string): Promise<string>;
  /** Titles by external id, of all issues of the project. */
  titles(): Promise<Map<string, string>>;
  /** Issues by external id of the comment, of all comments of the project. */
  comments(): Promise<Map<string, string>>;
  look(externalId: string): Promise<{ isClosed: boolean; duplicateOf: string | null; comments: string[] }>;
}

/** A tracker with a project of more than two pages of issues and at least one comment, and a provider of it. */
export interface ProviderContext {
  provider: Provider;
  organization: string;
  project: ProviderProject;
  backstage: Backstage;
  /** The key of an issue; default: the project's identifier, `#` and the external id. */
  keyOf?: (externalId: string) => string;
  /** Logins of two whom an issue can be assigned to, and of somebody it cannot. */
  people: { assignable: readonly [string, string]; outsider: string };
  /** Whether an issue can have two assignees; default true. */
  severalAssignees?: boolean;
  /** What a link comes back as from the issue it was made of; null where there is no such link to make. */
  links: { blocks: LinkKind; duplicates: LinkKind | null };
  /** What the provider has asked of the tracker so far: requests, or null where there are none to count. */
  requests: () => number | null;
  /** In how many listings the tracker keeps the issues, each of which costs a request to ask about; default 1. */
  listings?: number;
  /** Moves the tracker's clock. */
  pass: (ms: number) => void;
  now: () => Date;
  dispose: () => Promise<void>;
}

/** What the parts of the suite share: the context of the test that runs, and short ways to use it. */
export interface Suite {
  readonly context: ProviderContext;
  target(externalId: string): IssueTarget;
  issues(cursor: string | null): Promise<Page<ProviderIssue>>;
  comments(cursor: string | null): Promise<Page<ProviderComment>>;
  presentIds(cursor: string | null): Promise<Page<string>>;
  /** The issue as a fresh look has it, less what listings do not tell; it must be there. */
  read(externalId: string): Promise<ProviderIssue>;
  /** External ids of some issues of the project. */
  someIssues(count: number): Promise<string[]>;
  /** Expects that what was asked meanwhile cost so many requests, where they are counted. */
  expectRequests<T>(count: number, work: () => Promise<T>): Promise<T>;
}

/** The suite over the context that `contextOf` answers while a test runs. */
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
    presentIds: (cursor) => contextOf().provider.presentIds(contextOf().project, cursor, never()),
    async read(externalId) {
      const issue = await contextOf().provider.issue(target(externalId), never());
      if (issue === null) throw new Error(`The issue ${externalId} is not there.`);
      const { nativeDescription: _, ...listed } = issue;
      return listed;
    },
    someIssues: async (count) => [...(await contextOf().backstage.titles()).keys()].slice(0, count),
    async expectRequests(count, work) {
      const before = contextOf().requests();
      const answer = await work();
      const after = contextOf().requests();
      if (before !== null && after !== null) expect(after - before).toBe(count);
      return answer;
    },
  };
}

/** A signal that never fires. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Reads pages until the listing says that it is done; `between` runs after each page but the last. */
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

/** The `TrackerError` that the call fails with. */
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
