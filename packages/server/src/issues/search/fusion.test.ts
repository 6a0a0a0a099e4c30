import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuseRanks } from './fusion.ts';

const ids = (text: string) => [...text].map((id) => ({ id }));
const fused = (...rankings: string[]) =>
  fuseRanks(rankings.map(ids))
    .map(({ id }) => id)
    .join('');

test.each([
  [['abc', ''], 'abc'],
  [['abc', 'cba'], 'acb'],
  [['ab', 'ba'], 'ab'],
  [['abcd', 'dx'], 'dabxc'],
  [['ab', 'xy'], 'axby'],
  [[], ''],
])('%j are merged into %j', (rankings, expected) => {
  expect(fused(...rankings)).toBe(expected);
});

test('contains every item once, and begins with an item that leads all rankings', () => {
  const ranking = fc.uniqueArray(fc.constantFrom(...'bcdefgh'), { maxLength: 7 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.array(ranking, { minLength: 1, maxLength: 3 }), (rankings) => {
      const answer = fused(...rankings.map((one) => `a${one}`));
      expect(answer[0]).toBe('a');
      expect([...answer].sort()).toEqual([...new Set(`a${rankings.join('')}`)].sort());
    }),
  );
});
