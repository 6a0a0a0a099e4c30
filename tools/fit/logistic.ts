/**
 * A fitted logistic regression. The log-odds are `intercept` plus the weighted sum of the features.
 */
export interface Logistic {
  intercept: number;
  weights: number[];
}

/** Maximum Newton steps. A fit usually converges much earlier. */
const MAX_STEPS = 50;
/** Convergence threshold. The fit stops when every weight changes by less than this. */
const CONVERGED_STEP = 1e-9;

/**
 * Fits a logistic regression with Newton's method. The result is the same in every run.
 * Features are first scaled to a standard deviation of 1. `ridge` pulls the scaled weights towards
 * 0.
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  { ridge }: { ridge: number },
): Logistic {
  const width = (rows[0]?.length ?? 0) + 1;
  const means = column(rows, (values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const deviations = column(rows, (values, at) => {
    const squares = values.reduce((sum, value) => sum + (value - (means[at] ?? 0)) ** 2, 0);
    return Math.sqrt(squares / values.length) || 1;
  });
  const scaled = rows.map((row) => [
    1,
    ...row.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1)),
  ]);
  let estimate = new Array<number>(width).fill(0);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const gradient = estimate.map((value, at) => (at === 0 ? 0 : ridge * value));
    const hessian = estimate.map((_, at) =>
      estimate.map((__, other) => (at === other && at > 0 ? ridge : 0)),
    );
    for (const [index, row] of scaled.entries()) {
      const odds = row.reduce((sum, value, at) => sum + value * (estimate[at] ?? 0), 0);
      const probability = 1 / (1 + Math.exp(-odds));
      const error = probability - (labels[index] ?? 0);
      const variance = probability * (1 - probability);
      for (let at = 0; at < width; at += 1) {
        gradient[at] = (gradient[at] ?? 0) + error * (row[at] ?? 0);
        const line = hessian[at] ?? [];
        const part = variance * (row[at] ?? 0);
        for (let other = 0; other < width; other += 1)
          line[other] = (line[other] ?? 0) + part * (row[other] ?? 0);
      }
    }
    const change = solve(hessian, gradient);
    estimate = estimate.map((value, at) => value - (change[at] ?? 0));
    if (Math.max(...change.map(Math.abs)) < CONVERGED_STEP) break;
  }
  const weights = estimate.slice(1).map((value, at) => value / (deviations[at] ?? 1));
  const shift = weights.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  return { intercept: (estimate[0] ?? 0) - shift, weights };
}

function column(
  rows: readonly (readonly number[])[],
  measure: (values: number[], at: number) => number,
): number[] {
  return (rows[0] ?? []).map((_, at) =>
    measure(
      rows.map((row) => row[at] ?? 0),
      at,
    ),
  );
}

/** Solves a system of linear equations by Gaussian elimination with partial pivoting. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, values[at] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    let pivot = at;
    for (let row = at + 1; row < size; row += 1)
      if (Math.abs(rows[row]?.[at] ?? 0) > Math.abs(rows[pivot]?.[at] ?? 0)) pivot = row;
    const chosen = rows[pivot] ?? [];
    rows[pivot] = rows[at] ?? [];
    rows[at] = chosen;
    const head = chosen[at] || Number.MIN_VALUE;
    for (let row = 0; row < size; row += 1) {
      if (row === at) continue;
      const line = rows[row] ?? [];
      const factor = (line[at] ?? 0) / head;
      for (let other = at; other <= size; other += 1)
        line[other] = (line[other] ?? 0) - factor * (chosen[other] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] || Number.MIN_VALUE));
}
