import { describe, expect, test } from 'vitest';
import { pendingAfter, pendingNear } from './next-pending.ts';

const all = () => true;
const except =
  (...decided: string[]) =>
  (id: string) =>
    !decided.includes(id);

describe('pendingAfter', () => {
  test('finds nothing after the only item, or after one that is not listed', () => {
    expect(pendingAfter(['a'], 'a', all)).toBeUndefined();
    expect(pendingAfter(['a', 'b'], 'x', all)).toBeUndefined();
  });

  test('finds the item below, and for the last item the one above', () => {
    expect(pendingAfter(['a', 'b', 'c'], 'b', all)).toBe('c');
    expect(pendingAfter(['a', 'b', 'c'], 'c', all)).toBe('b');
  });

  test('skips decided items, and finds nothing if all other items are decided', () => {
    expect(pendingAfter(['a', 'b', 'c', 'd'], 'b', except('c'))).toBe('d');
    expect(pendingAfter(['a', 'b', 'c', 'd'], 'b', except('c', 'd'))).toBe('a');
    expect(pendingAfter(['a', 'b', 'c', 'd'], 'b', except('a', 'c', 'd'))).toBeUndefined();
  });
});

describe('pendingNear', () => {
  test('finds the item that moved up after a removal, otherwise the item above', () => {
    expect(pendingNear(['a', 'b'], 1, all)).toBe('b');
    expect(pendingNear(['a', 'b'], 2, all)).toBe('b');
    expect(pendingNear(['a', 'b'], 1, except('b'))).toBe('a');
    expect(pendingNear([], 0, all)).toBeUndefined();
  });
});
