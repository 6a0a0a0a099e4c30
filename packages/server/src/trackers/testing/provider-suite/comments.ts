import { describe, expect, test } from 'vitest';
import { expectFailure, never, readToEnd, type Suite } from './context.ts';

/** Defines the tests of comments and of closing as a duplicate. Every provider must pass them. */
export function describeComments(suite: Suite): void {
  describe('writing', () => {
    test('a comment shows its text, hides its marker, and is found by it after a lost response', async () => {
      const { provider, otherUser } = suite.context;
      const [first = '', second = ''] = await suite.someIssues(2);
      const postedAfter = suite.context.now();
      const id = await provider.comment(suite.target(first), 'Closed as a duplicate.', 'step-1', never());
      expect((await otherUser.inspect(first)).comments).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Closed as a duplicate\.\n\n<!-- .*step-1 -->$/)]),
      );
      const find = (externalId: string, marker: string) =>
        provider.findComment(suite.target(externalId), marker, postedAfter, never());
      expect(await find(first, 'step-1')).toBe(id);
      expect(await find(first, 'step')).toBeNull();
      expect(await find(first, 'step-12')).toBeNull();
      expect(await find(second, 'step-1')).toBeNull();
    });

    test('a comment can be deleted, and deleting it again is no error', async () => {
      const { provider, otherUser } = suite.context;
      const [first = ''] = await suite.someIssues(1);
      const postedAfter = suite.context.now();
      const { comments: before } = await otherUser.inspect(first);
      const id = await provider.comment(suite.target(first), 'text', 'step-2', never());
      await provider.deleteComment(suite.target(first), id, never());
      expect((await otherUser.inspect(first)).comments).toEqual(before);
      await provider.deleteComment(suite.target(first), id, never());
      expect(await provider.findComment(suite.target(first), 'step-2', postedAfter, never())).toBeNull();
    });

    test('closing as a duplicate names the original, can be repeated, and can be undone', async () => {
      const { provider, otherUser } = suite.context;
      const loser = await otherUser.addIssue('the later report');
      const [original = ''] = await suite.someIssues(1);
      const before = await suite.read(loser);
      suite.context.pass(1000);
      for (let times = 0; times < 2; times += 1) {
        const closed = await provider.closeAsDuplicate(suite.target(loser), suite.target(original), never());
        expect(closed).toMatchObject({ externalId: loser, state: 'closed', title: before.title });
        expect(closed.closedAt).not.toBeNull();
        expect(await otherUser.inspect(loser)).toMatchObject({
          isClosed: true,
          duplicateOf: suite.target(original).key,
        });
      }
      suite.context.pass(1000);
      const reopened = await provider.reopen(suite.target(loser), never());
      expect({ ...reopened, updatedAt: null }).toEqual({ ...before, updatedAt: null });
      expect(await otherUser.inspect(loser)).toMatchObject({ isClosed: false, duplicateOf: null });
    });

    test('reports the time of the last closing, so that other closings can be distinguished from ours', async () => {
      const { provider } = suite.context;
      const [first = ''] = await suite.someIssues(1);
      const close = () => provider.close(suite.target(first), 'completed', never());
      const closed = await close();
      expect((await provider.issue(suite.target(first), never()))?.closedAt).toEqual(closed.closedAt);
      suite.context.pass(60_000);
      expect((await provider.reopen(suite.target(first), never())).closedAt).toBeNull();
      expect((await close()).closedAt?.getTime()).toBeGreaterThan(closed.closedAt?.getTime() ?? 0);
    });

    test('is included in the next listing', async () => {
      const { provider } = suite.context;
      const pages = await readToEnd(suite.issues, null);
      const [first = '', second = ''] = await suite.someIssues(2);
      suite.context.pass(60_000);
      await provider.closeAsDuplicate(suite.target(first), suite.target(second), never());
      const later = await readToEnd(suite.issues, pages.at(-1)?.cursor ?? null);
      expect(later.flatMap(({ items }) => items)).toContainEqual(
        expect.objectContaining({ externalId: first, state: 'closed' }),
      );
    });

    test('fails for a missing issue and changes nothing', async () => {
      const { provider, otherUser } = suite.context;
      const gone = suite.target(await otherUser.addIssue('soon gone'));
      const [one = ''] = await suite.someIssues(1);
      const other = suite.target(one);
      await otherUser.removeIssue(gone.externalId);
      expect(await provider.issue(gone, never())).toBeNull();
      await expectFailure(provider.comment(gone, 'text', 'step-3', never()), 'not_found');
      await expectFailure(provider.reopen(gone, never()), 'not_found');
      await expectFailure(provider.closeAsDuplicate(gone, other, never()), 'not_found');
      await expectFailure(provider.close(gone, 'completed', never()), 'not_found');
      await provider.deleteComment(gone, '1', never());
    });
  });
}
