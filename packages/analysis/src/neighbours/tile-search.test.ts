import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadKernel } from './kernel.ts';
import { ListMerger } from './merge.ts';
import { packVectors } from './packed-vectors.ts';
import { planSearch, type SearchPlan, taskWidth } from './plan.ts';
import { TileSearch } from './tile-search.ts';

const kernel = loadKernel();

/**
 * 700 vectors of three kinds, so that nearly all scores are equal. The lower rows must be found,
 * regardless of the thread that finds them.
 */
const vectors = packVectors(
  Array.from({ length: 700 }, (_, row) => new Float32Array(4).fill(1, row % 3, (row % 3) + 1)),
  4,
);
const k = 6;

/** Returns the plan with its tasks in another order. */
function reordered(plan: SearchPlan, order: readonly number[]): SearchPlan {
  const tasks = order.flatMap((task) => [...plan.tasks.subarray(task * taskWidth, (task + 1) * taskWidth)]);
  return { ...plan, tasks: Uint32Array.from(tasks) };
}

/**
 * Simulates a search with several threads. They process tasks in the order of `turns`, and then
 * finish one after the other.
 */
function search(plan: SearchPlan, parts: number, turns: readonly number[]): Uint32Array {
  const searches = Array.from({ length: parts }, () => new TileSearch(plan, kernel));
  for (const turn of turns) searches[turn % parts]?.work();
  for (const part of searches) while (part.work());
  const merger = new ListMerger(
    plan,
    searches.map((part) => part.lists()),
    null,
    k,
  );
  merger.merge(0, merger.count);
  return merger.result.ids;
}

test('the result does not depend on the order of tasks or on their distribution over threads', () => {
  const expected = Uint32Array.from({ length: 700 * k }, (_, index) => {
    const row = Math.floor(index / k);
    const place = index % k;
    const kind = row % 3;
    const before = Math.floor(row / 3);
    return 3 * (place < before ? place : place + 1) + kind;
  });
  const plan = planSearch({ vectors, k });
  const count = plan.tasks.length / taskWidth;
  expect(count).toBeGreaterThan(20);
  const tasks = Array.from({ length: count }, (_, task) => task);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(tasks, { minLength: count }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.nat(2), { maxLength: count }),
      (order, parts, turns) => {
        const fresh = reordered(planSearch({ vectors, k }), order);
        expect(search(fresh, parts, turns)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});
