import { describe, expect, test } from 'vitest';
import type { LinkKind } from '../../provider.ts';
import { expectFailure, never, type Suite } from './context.ts';

const REVERSE_KIND: Record<LinkKind, LinkKind> = {
  blocks: 'blocked_by',
  blocked_by: 'blocks',
  duplicates: 'duplicated_by',
  duplicated_by: 'duplicates',
  related: 'related',
};

/** Defines the tests of links between issues. Every provider must pass them. */
export function describeLinks(suite: Suite): void {
  describe.each(['blocks', 'duplicates'] as const)('a link of kind %s', (kind) => {
    test('is reported at both ends, and creating or removing it twice is harmless', async () => {
      const { provider, links } = suite.context;
      const [one = '', two = '', three = ''] = await suite.someIssues(3);
      const [first, second, third] = [suite.target(one), suite.target(two), suite.target(three)];
      const linksOf = (target: typeof first) => provider.links(target, never());
      const shown = links[kind];
      if (shown === null) {
        await expectFailure(provider.link(first, kind, second, never()), 'unsupported');
        expect(await linksOf(first)).toEqual([]);
        return;
      }
      for (let times = 0; times < 2; times += 1) await provider.link(first, kind, second, never());
      await provider.link(third, kind, second, never());
      expect(await linksOf(first)).toEqual([{ kind: shown, key: second.key }]);
      const back = REVERSE_KIND[shown];
      const both = [first, third].map(({ key }) => ({ kind: back, key }));
      expect(await linksOf(second)).toEqual(expect.arrayContaining(both));
      expect(await linksOf(second)).toHaveLength(2);

      for (let times = 0; times < 2; times += 1) await provider.unlink(first, kind, second, never());
      expect(await linksOf(first)).toEqual([]);
      expect(await linksOf(second)).toEqual([{ kind: back, key: third.key }]);
    });

    test('to or from a missing issue is refused', async () => {
      const { provider, otherUser, links } = suite.context;
      const [one = ''] = await suite.someIssues(1);
      const there = suite.target(one);
      const gone = suite.target(await otherUser.addIssue('soon gone'));
      await otherUser.removeIssue(gone.externalId);
      const code = links[kind] === null ? 'unsupported' : 'not_found';
      await expectFailure(provider.link(there, kind, gone, never()), code);
      await expectFailure(provider.link(gone, kind, there, never()), code);
      await expectFailure(provider.links(gone, never()), 'not_found');
      expect(await provider.links(there, never())).toEqual([]);
    });
  });
}
