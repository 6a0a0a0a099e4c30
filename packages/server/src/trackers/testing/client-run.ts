import { expect } from 'vitest';
import type {
  IssueTarget,
  Page,
  Provider,
  ProviderComment,
  ProviderIssue,
  ProviderProject,
} from '../provider.ts';
import { readToEnd } from './provider-suite/context.ts';

/** An issue as a third-party client of the tracker shows it. */
interface ShownIssue {
  title: string | null;
  /** Description as Markdown. */
  text: string | null;
  isOpen: boolean;
  labels: string[];
  assignees: string[];
  author: string | null;
}

/** A third-party client of a tracker, such as an SDK. All clients have this interface. */
export interface ThirdPartyClient {
  issue(target: IssueTarget): Promise<ShownIssue>;
  comments(target: IssueTarget): Promise<{ id: string; text: string }[]>;
  /** Returns the keys of the issues that block the target. */
  blockers(target: IssueTarget): Promise<string[]>;
}

/**
 * A provider, and a project for it to work on. `targets` are the first three open issues of the
 * project.
 */
export interface ProviderTarget {
  provider: Provider;
  project: ProviderProject;
  targets: [IssueTarget, IssueTarget, IssueTarget];
  /** Login of the token's owner. */
  self: string;
  assignees: string[];
}

const TEXT = 'A **bold** word';
const never = () => new AbortController().signal;

/**
 * Writes with the provider, and expects that the client shows every change. `whenClosed` checks how
 * the tracker shows an issue that was closed as a duplicate.
 */
export async function expectWritesShown(
  { provider, project, targets: [first, second, third], self, assignees }: ProviderTarget,
  client: ThirdPartyClient,
  whenClosed: () => Promise<void>,
): Promise<void> {
  await provider.edit(first, { title: 'rewritten', description: TEXT }, never());
  await provider.changeLabels(first, { add: ['ready', 'a/b'], remove: [] }, never());
  await provider.assign(first, assignees, never());
  const written = { title: 'rewritten', text: TEXT, isOpen: true, assignees };
  const shown = await client.issue(first);
  expect(shown).toMatchObject(written);
  expect(shown.labels.toSorted()).toEqual(['a/b', 'ready']);

  const commentId = await provider.comment(second, 'Closed as a duplicate.', 'step-1', never());
  await provider.closeAsDuplicate(second, first, never());
  expect((await client.issue(second)).isOpen).toBe(false);
  expect(await client.comments(second)).toEqual([
    { id: commentId, text: expect.stringMatching(/^Closed as a duplicate\./) },
  ]);
  await whenClosed();
  await provider.reopen(second, never());
  await provider.deleteComment(second, commentId, never());
  expect((await client.issue(second)).isOpen).toBe(true);
  expect(await client.comments(second)).toEqual([]);

  await provider.link(first, 'blocks', third, never());
  expect(await client.blockers(third)).toEqual([first.key]);
  await provider.unlink(first, 'blocks', third, never());
  expect(await client.blockers(third)).toEqual([]);

  const draft = { title: 'made', description: 'Text.', labels: ['bug'], assignees: [self] };
  const made = await provider.create(project, draft, 'step-2', never());
  const { externalId, key, description: text } = made;
  expect(await client.issue({ project, externalId, key })).toEqual({
    ...{ title: 'made', text, isOpen: true, labels: ['bug'], assignees: [self], author: self },
  });
}

/**
 * Remembers the current state. The returned functions read the issues and comments that have
 * changed since then.
 */
export async function watchChanges({ provider, project }: Pick<ProviderTarget, 'provider' | 'project'>) {
  const issues = (cursor: string | null) => provider.issues(project, cursor, never());
  const comments = (cursor: string | null) => provider.comments(project, cursor, never());
  const [issuesFrom, commentsFrom] = [await endOf(issues), await endOf(comments)];
  return {
    issues: (): Promise<ProviderIssue[]> => itemsFrom(issues, issuesFrom),
    comments: (): Promise<ProviderComment[]> => itemsFrom(comments, commentsFrom),
  };
}

type Listing<T> = (cursor: string | null) => Promise<Page<T>>;

async function endOf<T>(list: Listing<T>): Promise<string | null> {
  return (await readToEnd(list, null)).at(-1)?.cursor ?? null;
}

async function itemsFrom<T>(list: Listing<T>, cursor: string | null): Promise<T[]> {
  return (await readToEnd(list, cursor)).flatMap(({ items }) => items);
}
