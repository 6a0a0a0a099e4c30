import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type IssueTarget,
  type Page,
  type Provider,
  type ProviderComment,
  type ProviderIssue,
  type ProviderProject,
  TrackerError,
} from './provider.ts';

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
  /** What the provider has asked of the tracker so far: requests, or null where there are none to count. */
  requests: () => number | null;
  /** What it costs to hear that no issue is new, in requests; default 1. More only where issues are listed apart. */
  requestsWhenNothingNew?: number;
  /** Moves the tracker's clock. */
  pass: (ms: number) => void;
  now: () => Date;
  dispose: () => Promise<void>;
}

/** What every provider promises, whatever tracker is behind it. */
export function describeProvider(name: string, makeContext: () => Promise<ProviderContext>): void {
  describe(`${name} as a provider`, () => {
    let context: ProviderContext;
    beforeEach(async () => {
      context = await makeContext();
    });
    afterEach(() => context.dispose());

    const never = () => new AbortController().signal;
    const target = (externalId: string): IssueTarget => ({
      project: context.project,
      externalId,
      key: `${context.project.identifier}#${externalId}`,
    });
    const issues = (cursor: string | null) => context.provider.issues(context.project, cursor, never());
    const comments = (cursor: string | null) => context.provider.comments(context.project, cursor, never());

    async function someIssues(count: number): Promise<string[]> {
      return [...(await context.backstage.titles()).keys()].slice(0, count);
    }

    describe('connecting', () => {
      test('tells who we are and that nothing is missing', async () => {
        const { login, missingPermissions } = await context.provider.check(never());
        expect(login).not.toBe('');
        expect(missingPermissions).toEqual([]);
      });

      test('lists the organization, and in it the project', async () => {
        const organizations = await context.provider.organizations(never());
        expect(organizations.map(({ identifier }) => identifier)).toContain(context.organization);
        expect(await context.provider.projects(context.organization, never())).toContainEqual(
          context.project,
        );
      });

      test('says so when an organization or a project is not there', async () => {
        const elsewhere = { externalId: '0', identifier: 'nobody/nothing', name: 'nothing' };
        await expectFailure(context.provider.projects('nobody-at-all', never()), 'not_found');
        await expectFailure(context.provider.issues(elsewhere, null, never()), 'not_found');
        await expectFailure(context.provider.comments(elsewhere, null, never()), 'not_found');
      });
    });

    describe('listing issues', () => {
      test('gives every issue once, page by page, and tells on the first how many to expect at most', async () => {
        const pages = await readToEnd(issues, null);
        const titles = await context.backstage.titles();
        expect(pages.length).toBeGreaterThan(1);
        expect(newest(pages)).toEqual(titles);
        const total = pages[0]?.total ?? 0;
        expect(total).toBeGreaterThanOrEqual(titles.size);
        expect(total).toBeLessThan(titles.size + 100);
      });

      test('skips nothing when issues are edited and added between pages', async () => {
        let step = 0;
        const pages = await readToEnd(issues, null, async (page) => {
          step += 1;
          if (step > 4) return;
          context.pass(1000);
          const seen = page.items[step]?.externalId;
          const unseen = [...(await context.backstage.titles()).keys()].filter(
            (id) => !page.items.some(({ externalId }) => externalId === id),
          );
          for (const id of [seen, unseen[0], unseen.at(-1)]) {
            if (id !== undefined) await context.backstage.renameIssue(id, `renamed in step ${step}`);
          }
          await context.backstage.addIssue(`added in step ${step}`);
        });
        expect(newest(pages)).toEqual(await context.backstage.titles());
      });

      test('goes on from any cursor without skipping what came after it', async () => {
        const pages = await readToEnd(issues, null);
        for (const [index, page] of pages.entries()) {
          const before = pages.slice(0, index + 1);
          const after = page.done ? [] : await readToEnd(issues, page.cursor);
          expect(newest([...before, ...after])).toEqual(await context.backstage.titles());
        }
      });

      test.each(['not a cursor', '{}', ''])(
        'starts from the beginning at a cursor it cannot read (%j)',
        async (text) => {
          const pages = await readToEnd(issues, text);
          expect(newest(pages)).toEqual(await context.backstage.titles());
        },
      );

      test('sees exactly what changed since the last time', async () => {
        const pages = await readToEnd(issues, null);
        const [edited = '', commented = ''] = await someIssues(2);
        context.pass(60_000);
        await context.backstage.renameIssue(edited, 'edited since');
        const added = await context.backstage.addIssue('added since');
        await context.backstage.addComment(commented, 'said since');

        const later = await readToEnd(issues, pages.at(-1)?.cursor ?? null);
        const known = versions(pages);
        const fresh = later.flatMap(({ items }) => items).filter((item) => !known.has(versionOf(item)));
        expect(new Set(fresh.map(({ externalId }) => externalId))).toEqual(
          new Set([edited, added, commented]),
        );
        expect(newest([...pages, ...later])).toEqual(await context.backstage.titles());
      });

      test('costs no more than promised, and gives no issue, when nothing is new', async () => {
        const pages = await readToEnd(issues, null);
        const cursor = pages.at(-1)?.cursor ?? '';
        const before = context.requests();
        expectNothingNew(await issues(cursor), cursor);
        const after = context.requests();
        const promised = context.requestsWhenNothingNew ?? 1;
        if (before !== null && after !== null) expect(after - before).toBe(promised);
      });

      test('gives each issue as a single look at it does', async () => {
        const [page] = await readToEnd(issues, null);
        for (const item of page?.items.slice(0, 3) ?? []) {
          expect(await context.provider.issue(target(item.externalId), never())).toEqual(item);
          expect(item.key).toBe(target(item.externalId).key);
        }
      });
    });

    describe('listing comments', () => {
      test('gives every comment with the issue it is on', async () => {
        const pages = await readToEnd(comments, null);
        const expected = await context.backstage.comments();
        expect(expected.size).toBeGreaterThan(0);
        expect(
          new Map(pages.flatMap((page) => page.items.map((c) => [c.externalId, c.issueExternalId]))),
        ).toEqual(expected);
      });

      test('sees a comment made since the last time, and nothing when there is none', async () => {
        const pages = await readToEnd(comments, null);
        const cursor = pages.at(-1)?.cursor ?? '';
        expectNothingNew(await comments(cursor), cursor);

        const [issue = ''] = await someIssues(1);
        context.pass(60_000);
        const id = await context.backstage.addComment(issue, 'said since');
        const known = new Set(pages.flatMap(({ items }) => items.map(({ externalId }) => externalId)));
        const later = (await readToEnd(comments, cursor)).flatMap(({ items }) => items);
        const fresh = later.filter(({ externalId }) => !known.has(externalId));
        expect(fresh).toMatchObject([{ externalId: id, issueExternalId: issue, body: 'said since' }]);
      });
    });

    describe('writing', () => {
      test('a comment shows its text, hides its marker, and is found by it after a lost answer', async () => {
        const [first = '', second = ''] = await someIssues(2);
        const postedAfter = context.now();
        const id = await context.provider.comment(target(first), 'Closed as a duplicate.', 'step-1', never());
        expect((await context.backstage.look(first)).comments).toEqual(
          expect.arrayContaining([expect.stringMatching(/^Closed as a duplicate\.\n\n<!-- .*step-1 -->$/)]),
        );
        const find = (externalId: string, marker: string) =>
          context.provider.findComment(target(externalId), marker, postedAfter, never());
        expect(await find(first, 'step-1')).toBe(id);
        expect(await find(first, 'step')).toBeNull();
        expect(await find(first, 'step-12')).toBeNull();
        expect(await find(second, 'step-1')).toBeNull();
      });

      test('a comment can be taken back, and taking it back again is no error', async () => {
        const [first = ''] = await someIssues(1);
        const postedAfter = context.now();
        const { comments: before } = await context.backstage.look(first);
        const id = await context.provider.comment(target(first), 'text', 'step-2', never());
        await context.provider.deleteComment(target(first), id, never());
        expect((await context.backstage.look(first)).comments).toEqual(before);
        await context.provider.deleteComment(target(first), id, never());
        expect(await context.provider.findComment(target(first), 'step-2', postedAfter, never())).toBeNull();
      });

      test('closing as a duplicate names the original, also when it is done twice, and can be undone', async () => {
        const loser = await context.backstage.addIssue('the later report');
        const [original = ''] = await someIssues(1);
        const before = await context.provider.issue(target(loser), never());
        context.pass(1000);
        for (let times = 0; times < 2; times += 1) {
          const closed = await context.provider.closeAsDuplicate(target(loser), target(original), never());
          expect(closed).toMatchObject({ externalId: loser, state: 'closed', title: before?.title });
          expect(closed.closedAt).not.toBeNull();
          expect(await context.backstage.look(loser)).toMatchObject({
            isClosed: true,
            duplicateOf: target(original).key,
          });
        }
        context.pass(1000);
        const reopened = await context.provider.reopen(target(loser), never());
        expect({ ...reopened, updatedAt: null }).toEqual({ ...before, updatedAt: null });
        expect(await context.backstage.look(loser)).toMatchObject({ isClosed: false, duplicateOf: null });
      });

      test('tells when an issue was closed last, so that another closing can be told from ours', async () => {
        const [first = ''] = await someIssues(1);
        const close = () => context.provider.closeAsDuplicate(target(first), null, never());
        const closed = await close();
        expect((await context.provider.issue(target(first), never()))?.closedAt).toEqual(closed.closedAt);
        context.pass(60_000);
        expect((await context.provider.reopen(target(first), never())).closedAt).toBeNull();
        expect((await close()).closedAt?.getTime()).toBeGreaterThan(closed.closedAt?.getTime() ?? 0);
      });

      test('comes back with the next listing', async () => {
        const pages = await readToEnd(issues, null);
        const [first = '', second = ''] = await someIssues(2);
        context.pass(60_000);
        await context.provider.closeAsDuplicate(target(first), target(second), never());
        const later = await readToEnd(issues, pages.at(-1)?.cursor ?? null);
        expect(later.flatMap(({ items }) => items)).toContainEqual(
          expect.objectContaining({ externalId: first, state: 'closed' }),
        );
      });

      test('on an issue that is gone says so and changes nothing', async () => {
        const gone = await context.backstage.addIssue('soon gone');
        const [other = ''] = await someIssues(1);
        await context.backstage.removeIssue(gone);
        expect(await context.provider.issue(target(gone), never())).toBeNull();
        await expectFailure(context.provider.comment(target(gone), 'text', 'step-3', never()), 'not_found');
        await expectFailure(context.provider.reopen(target(gone), never()), 'not_found');
        await expectFailure(
          context.provider.closeAsDuplicate(target(gone), target(other), never()),
          'not_found',
        );
        await context.provider.deleteComment(target(gone), '1', never());
      });
    });

    test('gives up at once, asking nothing and writing nothing, when the signal has fired', async () => {
      const [first = '', second = ''] = await someIssues(2);
      const before = [await context.backstage.look(first), context.requests()];
      const { provider, project, organization } = context;
      const signal = AbortSignal.abort(new Error('stopped'));
      const calls = [
        () => provider.check(signal),
        () => provider.organizations(signal),
        () => provider.projects(organization, signal),
        () => provider.issues(project, null, signal),
        () => provider.comments(project, null, signal),
        () => provider.issue(target(first), signal),
        () => provider.comment(target(first), 'text', 'step-4', signal),
        () => provider.findComment(target(first), 'step-4', new Date(0), signal),
        () => provider.deleteComment(target(first), '1', signal),
        () => provider.closeAsDuplicate(target(first), target(second), signal),
        () => provider.reopen(target(first), signal),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow('stopped');
      expect([await context.backstage.look(first), context.requests()]).toEqual(before);
    });
  });
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

function expectNothingNew(page: Page<unknown>, cursor: string): void {
  expect(page).toMatchObject({ items: [], cursor, done: true });
  expect([0, null]).toContain(page.total);
}

/** The titles as the last version seen of each issue has them. */
function newest(pages: Page<ProviderIssue>[]): Map<string, string> {
  return new Map(pages.flatMap(({ items }) => items.map((item) => [item.externalId, item.title] as const)));
}

function versions(pages: Page<ProviderIssue>[]): Set<string> {
  return new Set(pages.flatMap(({ items }) => items.map(versionOf)));
}

function versionOf(item: ProviderIssue | ProviderComment): string {
  return `${item.externalId} ${item.updatedAt.toISOString()}`;
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
