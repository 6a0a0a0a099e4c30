import { describe, expect, test } from 'vitest';
import type { Page, ProviderComment, ProviderIssue } from '../../provider.ts';
import { expectFailure, never, readToEnd, type Suite } from './context.ts';

/**
 * Defines the tests of finding projects and of listing issues and comments. Every provider must
 * pass them.
 */
export function describeListings(suite: Suite): void {
  describe('connecting', () => {
    test('reports the login and no missing permissions', async () => {
      const { login, missingPermissions } = await suite.context.provider.check(never());
      expect(login).not.toBe('');
      expect(missingPermissions).toEqual([]);
    });

    test('lists the organization and its project', async () => {
      const organizations = await suite.context.provider.organizations(never());
      expect(organizations.map(({ identifier }) => identifier)).toContain(suite.context.organization);
      expect(await suite.context.provider.projects(suite.context.organization, never())).toContainEqual(
        suite.context.project,
      );
    });

    test('fails for a missing organization or project', async () => {
      const elsewhere = { externalId: '0', identifier: 'nobody/nothing', name: 'nothing' };
      await expectFailure(suite.context.provider.projects('nobody-at-all', never()), 'not_found');
      await expectFailure(suite.context.provider.issues(elsewhere, null, never()), 'not_found');
      await expectFailure(suite.context.provider.comments(elsewhere, null, never()), 'not_found');
    });
  });

  describe('listing issues', () => {
    test('returns every issue once, page by page, and an upper bound of their number on the first page', async () => {
      const pages = await readToEnd(suite.issues, null);
      const titles = await suite.context.otherUser.titles();
      expect(pages.length).toBeGreaterThan(1);
      expect(newest(pages)).toEqual(titles);
      const total = pages[0]?.total ?? 0;
      expect(total).toBeGreaterThanOrEqual(titles.size);
      expect(total).toBeLessThan(titles.size + 100);
    });

    test('skips nothing when issues are edited and added between pages', async () => {
      let step = 0;
      const pages = await readToEnd(suite.issues, null, async (page) => {
        step += 1;
        if (step > 4) return;
        suite.context.pass(1000);
        const seen = page.items[step]?.externalId;
        const unseen = [...(await suite.context.otherUser.titles()).keys()].filter(
          (id) => !page.items.some(({ externalId }) => externalId === id),
        );
        for (const id of [seen, unseen[0], unseen.at(-1)]) {
          if (id !== undefined) await suite.context.otherUser.renameIssue(id, `renamed in step ${step}`);
        }
        await suite.context.otherUser.addIssue(`added in step ${step}`);
      });
      expect(newest(pages)).toEqual(await suite.context.otherUser.titles());
    });

    test('continues from any cursor without skipping anything', async () => {
      const pages = await readToEnd(suite.issues, null);
      for (const [index, page] of pages.entries()) {
        const before = pages.slice(0, index + 1);
        const after = page.done ? [] : await readToEnd(suite.issues, page.cursor);
        expect(newest([...before, ...after])).toEqual(await suite.context.otherUser.titles());
      }
    });

    test.each(['not a cursor', '{}', ''])(
      'restarts from the beginning with an unreadable cursor (%j)',
      async (text) => {
        const pages = await readToEnd(suite.issues, text);
        expect(newest(pages)).toEqual(await suite.context.otherUser.titles());
      },
    );

    test('returns exactly what changed since the last time', async () => {
      const pages = await readToEnd(suite.issues, null);
      const [edited = '', commented = ''] = await suite.someIssues(2);
      suite.context.pass(60_000);
      await suite.context.otherUser.renameIssue(edited, 'edited since');
      const added = await suite.context.otherUser.addIssue('added since');
      await suite.context.otherUser.addComment(commented, 'said since');

      const later = await readToEnd(suite.issues, pages.at(-1)?.cursor ?? null);
      const known = versions(pages);
      const fresh = later.flatMap(({ items }) => items).filter((item) => !known.has(versionOf(item)));
      expect(new Set(fresh.map(({ externalId }) => externalId))).toEqual(new Set([edited, added, commented]));
      expect(newest([...pages, ...later])).toEqual(await suite.context.otherUser.titles());
    });

    test('takes one request per listing and returns no issue when nothing is new', async () => {
      const pages = await readToEnd(suite.issues, null);
      const cursor = pages.at(-1)?.cursor ?? '';
      const { listings = 1 } = suite.context;
      expectNothingNew(await suite.expectRequests(listings, () => suite.issues(cursor)), cursor);
    });

    test('returns each issue as a single read does', async () => {
      const [page] = await readToEnd(suite.issues, null);
      for (const item of page?.items.slice(0, 3) ?? []) {
        expect(await suite.read(item.externalId)).toEqual(item);
        expect(item.key).toBe(suite.target(item.externalId).key);
      }
    });
  });

  describe('listing comments', () => {
    test('returns every comment with its issue', async () => {
      const pages = await readToEnd(suite.comments, null);
      const expected = await suite.context.otherUser.comments();
      expect(expected.size).toBeGreaterThan(0);
      expect(
        new Map(pages.flatMap((page) => page.items.map((c) => [c.externalId, c.issueExternalId]))),
      ).toEqual(expected);
    });

    test('returns a new comment, and nothing without one', async () => {
      const pages = await readToEnd(suite.comments, null);
      const cursor = pages.at(-1)?.cursor ?? '';
      expectNothingNew(await suite.comments(cursor), cursor);

      const [issue = ''] = await suite.someIssues(1);
      suite.context.pass(60_000);
      const id = await suite.context.otherUser.addComment(issue, 'said since');
      const known = new Set(pages.flatMap(({ items }) => items.map(({ externalId }) => externalId)));
      const later = (await readToEnd(suite.comments, cursor)).flatMap(({ items }) => items);
      const fresh = later.filter(({ externalId }) => !known.has(externalId));
      expect(fresh).toMatchObject([{ externalId: id, issueExternalId: issue, body: 'said since' }]);
    });
  });
}

function expectNothingNew(page: Page<unknown>, cursor: string): void {
  expect(page).toMatchObject({ items: [], cursor, done: true });
  expect([0, null]).toContain(page.total);
}

/** Returns the title of the newest version of each issue in the pages. */
function newest(pages: Page<ProviderIssue>[]): Map<string, string> {
  return new Map(pages.flatMap(({ items }) => items.map((item) => [item.externalId, item.title] as const)));
}

function versions(pages: Page<ProviderIssue>[]): Set<string> {
  return new Set(pages.flatMap(({ items }) => items.map(versionOf)));
}

function versionOf(item: ProviderIssue | ProviderComment): string {
  return `${item.externalId} ${item.updatedAt.toISOString()}`;
}
