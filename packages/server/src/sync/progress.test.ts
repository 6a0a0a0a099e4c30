import { expect, test } from 'vitest';
import { ReadingProgress } from './progress.ts';

/**
 * Returns the progress after each page. As in a sync, the first pages of all projects are read
 * before the other pages.
 */
function progressAfterEachPage(projects: { total: number | null; pages: number[] }[]) {
  const progress = new ReadingProgress();
  for (const [index, { total, pages }] of projects.entries()) {
    progress.begin(String(index), total);
    progress.read(String(index), pages[0] ?? 0);
    if (pages.length <= 1) progress.end(String(index));
  }
  const seen = [progress.current()];
  for (const [index, { pages }] of projects.entries()) {
    for (const [place, items] of pages.entries()) {
      if (place === 0) continue;
      progress.read(String(index), items);
      if (place === pages.length - 1) progress.end(String(index));
      seen.push(progress.current());
    }
  }
  return seen;
}

test.each([
  ['one project with an exact total', [{ total: 230, pages: [100, 100, 30] }]],
  ['a total that is slightly too high', [{ total: 300, pages: [100, 100, 30] }]],
  ['a listing that grows and repeats items', [{ total: 210, pages: [100, 100, 105, 40] }]],
  [
    'several projects',
    [
      { total: 155, pages: [50, 50, 50, 5] },
      { total: 3, pages: [3] },
      { total: 0, pages: [0] },
      { total: 120, pages: [100, 20] },
    ],
  ],
])('never decreases or exceeds the total, and ends at it: %s', (_, projects) => {
  const steps = progressAfterEachPage(projects).map((step) => step ?? { done: 0, total: 0 });
  for (const [index, step] of steps.entries()) {
    expect(step.done).toBeLessThanOrEqual(step.total);
    const before = steps[index - 1] ?? step;
    expect(step.done).toBeGreaterThanOrEqual(before.done);
    expect(step.total).toBeLessThanOrEqual(before.total);
  }
  const last = steps.at(-1);
  expect(last?.done).toBe(last?.total);
});

test('ignores projects without a total, and returns null if none has one', () => {
  expect(progressAfterEachPage([{ total: null, pages: [100, 30] }])).toEqual([null, null]);
  expect(progressAfterEachPage([{ total: 0, pages: [0] }])).toEqual([null]);
  expect(
    progressAfterEachPage([
      { total: null, pages: [100] },
      { total: 100, pages: [50, 50] },
    ]),
  ).toEqual([
    { done: 50, total: 100 },
    { done: 100, total: 100 },
  ]);
});

test('a project that cannot be read further does not hold up the progress', () => {
  const progress = new ReadingProgress();
  progress.begin('gone', 500);
  progress.begin('there', 100);
  progress.read('gone', 100);
  progress.read('there', 100);
  progress.end('there');
  progress.end('gone');
  expect(progress.current()).toEqual({ done: 200, total: 200 });
});
