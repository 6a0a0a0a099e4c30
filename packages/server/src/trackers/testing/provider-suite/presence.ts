import { describe, expect, test } from 'vitest';
import { never, readToEnd, type Suite } from './context.ts';

/**
 * Defines the tests of counting issues and of listing those that exist. Every provider must pass
 * them.
 */
export function describePresence(suite: Suite): void {
  describe('counting and listing ids', () => {
    const count = () => suite.context.provider.count(suite.context.project, never());
    const present = async () =>
      new Set((await readToEnd(suite.externalIds, null)).flatMap(({ items }) => items));

    test('a project is found by its id, and null if it does not exist', async () => {
      const { provider, project } = suite.context;
      expect(await provider.project(project, never())).toEqual(project);
      const unknown = { externalId: '999999', identifier: 'nobody/nothing', name: 'nothing' };
      expect(await provider.project(unknown, never())).toBeNull();
    });

    test('the count takes one request per listing, and ids are listed without deleted issues', async () => {
      const { otherUser, listings = 1 } = suite.context;
      const [first = ''] = await suite.someIssues(1);
      for (const change of [async () => undefined, () => otherUser.removeIssue(first)]) {
        await change();
        const ids = new Set((await otherUser.titles()).keys());
        expect(await suite.expectRequests(listings, count)).toBe(ids.size);
        expect(await present()).toEqual(ids);
      }
    });

    test('ids are listed to the end although issues are deleted between pages', async () => {
      const { otherUser } = suite.context;
      const pages = await readToEnd(suite.externalIds, null, async ({ items }) => {
        for (const id of [items[0], items.at(-1)]) if (id !== undefined) await otherUser.removeIssue(id);
      });
      const ids = new Set(pages.flatMap(({ items }) => items));
      for (const id of (await otherUser.titles()).keys()) expect(ids).toContain(id);
    });
  });
}
