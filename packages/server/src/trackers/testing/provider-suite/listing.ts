import { describe, expect, test } from 'vitest';
import type { Page, ProviderComment, ProviderIssue } from '../../provider.ts';
import { expectFailure, never, readToEnd, type Suite } from './context.ts';

/** What every provider promises of finding a project, and of reading its issues and comments page by page. */
export function describeListing(suite: Suite): void {
  describe('connecting', () => {
    test('tells who we are and that nothing is missing', async () => {
      const { login, missingPermissions } = await suite.context.provider.check(never());
      expect(login).not.toBe('');
      expect(missingPermissions).toEqual([]);
    });

    test('lists the organization, and in it the project', async () => {
      const organizations = await suite.context.provider.organizations(never());
      expect(organizations.map(({ identifier }) => identifier)).toContain(suite.context.organization);
      expect(await suite.context.provider.projects(suite.context.organization, never())).toContainEqual(
        suite.context.project,
      );
    });

    test('says so when an organization or a project is not there', async () => {
      const elsewhere = { externalId: '0', identifier: 'nobody/nothing', name: 'nothing' };
      await expectFailure(suite.context.provider.projects('nobody-at-all', never()), 'not_found');
      await expectFailure(suite.context.provider.issues(elsewhere, null, never()), 'not_found');
      await expectFailure(suite.context.provider.comments(elsewhere, null, never()), 'not_found');
    });
  });

  describe('listing issues', () => {
    test('gives every issue once, page by page, and tells on the first how many to expect at most', async () => {
      const pages = await readToEnd(suite.issues, null);
      const titles = await suite.context.backstage.titles();
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
        const unseen = [...(await suite.context.backstage.titles()).keys()].filter(
          (id) => !page.items.some(({ externalId }) => externalId === id),
        );
        for (const id of [seen, unseen[0], unseen.at(-1)]) {
          if (id !== undefined) await suite.context.backstage.renameIssue(id, `renamed in step ${step}`);
        }
        await suite.context.backstage.addIssue(`added in step ${step}`);
      });
      expect(newest(pages)).toEqual(await suite.context.backstage.titles());
    });

    test('goes on from any cursor without skipping what came after it', async () => {
      const pages = await readToEnd(suite.issues, null);
      for (const [index, page] of pages.entries()) {
        const before = pages.slice(0, index + 1);
        const after = page.done ? [] : await readToEnd(suite.issues, page.cursor);
        expect(newest([...before, ...after])).toEqual(await suite.context.backstage.titles());
      }
    });

    test.each(['not a cursor', '{}', ''])(
      'starts from the beginning at a cursor it cannot read (%j)',
      async (text) => {
        const pages = await readToEnd(suite.issues, text);
        expect(newest(pages)).toEqual(await suite.context.backstage.titles());
      },
    );

    test('sees exactly what changed since the last time', async () => {
      const pages = await readToEnd(suite.issues, null);
      const [edited = '', commented = ''] = await suite.someIssues(2);
      suite.context.pass(60_000);
      await suite.context.backstage.renameIssue(edited, 'edited since');
      const added = await suite.context.backstage.addIssue('added since');
      await suite.context.backstage.addComment(commented, 'said since');

      const later = await readToEnd(suite.issues, pages.at(-1)?.cursor ?? null);
      const known = versions(pages);
      const fresh = later.flatMap(({ items }) => items).filter((item) => !known.has(versionOf(item)));
      expect(new Set(fresh.map(({ externalId }) => externalId))).toEqual(new Set([edited, added, commented]));
      expect(newest([...pages, ...later])).toEqual(await suite.context.backstage.titles());
    });

    test('costs one request a listing, and gives no issue, when nothing is new', async () => {
      const pages = await readToEnd(suite.issues, null);
      const cursor = pages.at(-1)?.cursor ?? '';
      const { listings = 1 } = suite.context;
      expectNothingNew(await suite.expectRequests(listings, () => suite.issues(cursor)), cursor);
    });

    test('gives each issue as a single look at it does', async () => {
      const [page] = await readToEnd(suite.issues, null);
      for (const item of page?.items.slice(0, 3) ?? []) {
        expect(await suite.read(item.externalId)).toEqual(item);
        expect(item.key).toBe(suite.target(item.externalId).key);
      }
    });
  });

  describe('listing comments', () => {
    test('gives every comment with the issue it is on', async () => {
      const pages = await readToEnd(suite.comments, null);
      const expected = await suite.context.backstage.comments();
      expect(expected.size).toBeGreaterThan(0);
      expect(
        new Map(pages.flatMap((page) => page.items.map((c) => [c.externalId, c.issueExternalId]))),
      ).toEqual(expected);
    });

    test('sees a comment made since the last time, and nothing when there is none', async () => {
      const pages = await readToEnd(suite.comments, null);
      const cursor = pages.at(-1)?.cursor ?? '';
      expectNothingNew(await suite.comments(cursor), cursor);

      const [issue = ''] = await suite.someIssues(1);
      suite.context.pass(60_000);
      const id = await suite.context.backstage.addComment(issue, 'said since');
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
