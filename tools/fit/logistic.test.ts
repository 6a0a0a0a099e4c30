import { expect, test } from 'vitest';
import { fitLogistic } from './logistic.ts';

/** Creates rows whose labels follow from the known weights. */
function rowsOf(intercept: number, weights: readonly [number, number]) {
  const COPIES = 10_000;
  const grid = [-1, 0, 2].flatMap((x) => [0, 10, 30].map((y): [number, number] => [x, y]));
  return grid.flatMap(([x, y]) => {
    const share = 1 / (1 + Math.exp(-(intercept + weights[0] * x + weights[1] * y)));
    const ones = Math.round(share * COPIES);
    return Array.from({ length: COPIES }, (_, at) => ({ row: [x, y], label: at < ones ? 1 : 0 }));
  });
}

test('finds known weights of features on different scales', () => {
  const samples = rowsOf(-0.5, [1.2, -0.08]);
  const rows = samples.map(({ row }) => row);
  const labels = samples.map(({ label }) => label);
  const fit = fitLogistic(rows, labels, { ridge: 0 });
  expect(fit.intercept).toBeCloseTo(-0.5, 2);
  expect(fit.weights[0]).toBeCloseTo(1.2, 2);
  expect(fit.weights[1]).toBeCloseTo(-0.08, 3);
});

test('keeps weights finite for separable labels, and at 0 for a constant feature', () => {
  const fit = fitLogistic(
    [
      [0, 5],
      [1, 5],
      [2, 5],
      [3, 5],
    ],
    [0, 0, 1, 1],
    { ridge: 1 },
  );
  expect(fit.weights[0]).toBeGreaterThan(0);
  expect(fit.weights[0]).toBeLessThan(10);
  expect(fit.weights[1]).toBeCloseTo(0);
});
