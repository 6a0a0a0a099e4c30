import type { Pair } from '@winnow/contract/duplicate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planCloses } from './plan.ts';
import { issueOf, pairOf } from './testing/pairs.ts';

const planOf = (pairs: Pair[], unrelated: Pair[] = []) => {
  const { closes, leftOut } = planCloses(pairs, (pair) => unrelated.includes(pair));
  return {
    closes: closes.map(({ pair: { issue1, issue2 }, choice }) =>
      choice === 'close_a' ? issue1.key : issue2.key,
    ),
    leftOut: leftOut.map(({ reason }) => reason),
  };
};

describe('closing several pairs', () => {
  test('closes the newer issue, or the older one if the newer is closed', () => {
    expect(planOf([pairOf(issueOf(1), issueOf(2)), pairOf(issueOf(3), issueOf(4, 'closed'))])).toEqual({
      closes: ['PAY-2', 'PAY-3'],
      leftOut: [],
    });
  });

  test('skips a pair without open issues', () => {
    expect(planOf([pairOf(issueOf(1, 'closed'), issueOf(2, 'closed'))])).toEqual({
      closes: [],
      leftOut: ['Both issues are already closed.'],
    });
  });

  test('skips a pair that is judged unrelated', () => {
    const unrelated = pairOf(issueOf(1), issueOf(2));
    expect(planOf([unrelated, pairOf(issueOf(2), issueOf(3))], [unrelated])).toEqual({
      closes: ['PAY-3'],
      leftOut: ['Judged unrelated. To close it anyway, resolve it on its own.'],
    });
  });

  test('closes no issue twice', () => {
    expect(planOf([pairOf(issueOf(1), issueOf(3)), pairOf(issueOf(2), issueOf(3))])).toEqual({
      closes: ['PAY-3'],
      leftOut: ['PAY-3 is closed by another pair of this selection.'],
    });
  });

  test('creates no chains of duplicates, in any order', () => {
    const [upper, lower] = [pairOf(issueOf(1), issueOf(2)), pairOf(issueOf(2), issueOf(3))];
    expect(planOf([upper, lower])).toEqual({
      closes: ['PAY-2'],
      leftOut: ['PAY-2, which would stay open, is closed by another pair of this selection.'],
    });
    expect(planOf([lower, upper])).toEqual({
      closes: ['PAY-3'],
      leftOut: ['PAY-2 stays open for another pair of this selection.'],
    });
  });

  test('plans every pair, and never closes an issue as a duplicate of a closed one', () => {
    const number = fc.integer({ min: 1, max: 12 });
    const state = fc.constantFrom('opened' as const, 'closed' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, state, state)), (drawn) => {
        const pairs = drawn
          .filter(([one, other]) => one < other)
          .map(([one, other, first, second]) => pairOf(issueOf(one, first), issueOf(other, second)));
        const { closes, leftOut } = planCloses(pairs, () => false);
        expect(closes.length + leftOut.length).toBe(pairs.length);
        const losers = closes.map(({ pair: { issue1, issue2 }, choice }) =>
          choice === 'close_a' ? issue1.key : issue2.key,
        );
        const survivors = closes.map(({ pair: { issue1, issue2 }, choice }) =>
          choice === 'close_a' ? issue2.key : issue1.key,
        );
        expect(new Set(losers).size).toBe(losers.length);
        expect(survivors.some((key) => losers.includes(key))).toBe(false);
      }),
    );
  });
});
