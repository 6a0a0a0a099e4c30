import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asSiblings, combineParts } from './score.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('different texts never have similarity 1', () => {
  expect(combineParts(1, 1, 1)).toBeLessThan(0.999);
  expect(combineParts(null, 1, null)).toBeLessThan(0.999);
});

test('a negative vector part counts as 0', () => {
  expect(combineParts(-1, 0.5, 0.5)).toBe(combineParts(0, 0.5, 0.5));
});

test('siblings stay below 0.8 and keep their order', () => {
  fc.assert(
    fc.property(share, share, (a, b) => {
      expect(asSiblings(combineParts(a, a, a))).toBeLessThan(0.8);
      if (a <= b) expect(asSiblings(a)).toBeLessThanOrEqual(asSiblings(b));
    }),
  );
});

test('a similarity is from 0 to 1, and never decreases when a part grows', () => {
  fc.assert(
    fc.property(
      share,
      share,
      share,
      share,
      fc.boolean(),
      fc.boolean(),
      (dense, lexical, title, more, has, titled) => {
        const score = (add: number): number =>
          combineParts(
            has ? Math.min(1, dense + add) : null,
            Math.min(1, lexical + add),
            titled ? Math.min(1, title + add) : null,
          );
        expect(score(more)).toBeGreaterThanOrEqual(score(0));
        expect(score(0)).toBeGreaterThanOrEqual(0);
        expect(score(0)).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('a part that is missing in both issues has no effect', () => {
  expect(combineParts(null, 0.5, 0.5)).toBeCloseTo(0.5, 12);
  expect(combineParts(0.5, 0.5, null)).toBeCloseTo(0.5, 12);
});
