import type { Pair } from '@winnow/contract/duplicate';
import { expect, test } from 'vitest';
import { isSelectable, rangeOf, stillSelected } from './selection.ts';
import { issueOf, pairOf } from './testing/pairs.ts';

const pair = (id: string, changed: Partial<Pair> = {}) => pairOf(issueOf(1), issueOf(2), { id, ...changed });
const idsOf = (pairs: readonly Pair[]) => pairs.map(({ id }) => id).join('');

test('selects ranges in both directions and omits decided pairs', () => {
  const listed = [pair('a'), pair('b'), pair('c', { resolution: 'closed' }), pair('d')];
  expect(idsOf(rangeOf(listed, 'a', 'd'))).toBe('abd');
  expect(idsOf(rangeOf(listed, 'd', 'b'))).toBe('bd');
  expect(idsOf(rangeOf(listed, null, 'b'))).toBe('b');
  expect(idsOf(rangeOf(listed, 'on another page', 'b'))).toBe('b');
});

test('deselects a pair when it has been decided', () => {
  const selected = new Map([pair('a'), pair('b'), pair('z')].map((each) => [each.id, each]));
  expect(idsOf(stillSelected(selected, [pair('b', { resolution: 'unrelated' }), pair('a')]))).toBe('az');
});

test('allows only undecided, undismissed pairs to be selected', () => {
  expect(
    [pair('a'), pair('b', { dismissed: true }), pair('c', { resolution: 'merged' })].map(isSelectable),
  ).toEqual([true, false, false]);
});
