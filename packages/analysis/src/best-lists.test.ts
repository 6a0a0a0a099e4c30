import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BestLists } from './best-lists.ts';

const names = Array.from({ length: 60 }, (_, slot) => `n${(slot * 37) % 60}`.padStart(3, '0'));

function contents(lists: BestLists, slot: number): [number, number][] {
  const found: [number, number][] = [];
  lists.each(slot, (other, score) => found.push([other, score]));
  return found;
}

test('a list is unknown and empty before `begin`', () => {
  const lists = new BestLists(3, 0.1, (slot) => names[slot] ?? '');
  lists.offer(0, 1, 0.5);
  expect(lists.knows(0)).toBe(false);
  expect(contents(lists, 0)).toEqual([]);
});

test('a list becomes unknown after too many entries were dropped', () => {
  const lists = new BestLists(2, 0.1, (slot) => names[slot] ?? '');
  lists.begin(0);
  for (let other = 1; other < 30; other += 1) lists.offer(0, other, other / 30);
  const marked = new Uint8Array(60);
  marked.fill(1, 21, 30);
  expect(lists.knows(0)).toBe(true);
  lists.drop(marked);
  expect(lists.knows(0)).toBe(false);
});

test('a known list holds the best remaining entries after any offers and drops; equal scores are ordered by name', () => {
  const step = fc.oneof(
    fc.record({ offer: fc.nat(59), score: fc.integer({ min: 0, max: 8 }) }),
    fc.record({ drop: fc.nat(59) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 0, max: 5 }), (steps, most) => {
      const lists = new BestLists(most, 0.2, (slot) => names[slot] ?? '');
      lists.begin(0);
      const there = new Map<number, number>();
      for (const each of steps) {
        if ('offer' in each) {
          if (each.offer === 0 || there.has(each.offer)) continue;
          there.set(each.offer, each.score / 10);
          lists.offer(0, each.offer, each.score / 10);
        } else if (each.drop !== 0) {
          there.delete(each.drop);
          const marked = new Uint8Array(60);
          marked[each.drop] = 1;
          lists.drop(marked);
        }
        if (!lists.knows(0)) continue;
        const expected = [...there]
          .filter(([, score]) => score >= 0.2)
          .sort((a, b) => b[1] - a[1] || ((names[a[0]] ?? '') < (names[b[0]] ?? '') ? -1 : 1))
          .slice(0, most);
        expect(contents(lists, 0)).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});
