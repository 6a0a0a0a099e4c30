/** A fitted logistic regression: log-odds are `intercept` plus the weighted features. */
export interface Logistic {
  intercept: number;
  weights: number[];
}

const MOST_STEPS = 50;
const SMALL_STEP = 1e-9;

/**
 * Fits a logistic regression by Newton's method, the same for the same rows. Features are brought to a deviation of 1
 * first; `ridge` draws the weights of
 * those to 0.
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
  let found = new Array<number>(width).fill(0);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const gradient = found.map((value, at) => (at === 0 ? 0 : ridge * value));
    const hessian = found.map((_, at) => found.map((__, other) => (at === other && at > 0 ? ridge : 0)));
    for (const [index, row] of scaled.entries()) {
      const odds = row.reduce((sum, value, at) => sum + value * (found[at] ?? 0), 0);
      const share = 1 / (1 + Math.exp(-odds));
      const error = share - (labels[index] ?? 0);
      const spread = share * (1 - share);
      for (let at = 0; at < width; at += 1) {
        gradient[at] = (gradient[at] ?? 0) + error * (row[at] ?? 0);
        const line = hessian[at] ?? [];
        const part = spread * (row[at] ?? 0);
        for (let other = 0; other < width; other += 1)
          line[other] = (line[other] ?? 0) + part * (row[other] ?? 0);
      }
    }
    const change = solve(hessian, gradient);
    found = found.map((value, at) => value - (change[at] ?? 0));
    if (Math.max(...change.map(Math.abs)) < SMALL_STEP) break;
  }
  const weights = found.slice(1).map((value, at) => value / (deviations[at] ?? 1));
  const shift = weights.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  return { intercept: (found[0] ?? 0) - shift, weights };
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

/** Solves a system of linear equations by elimination with pivots. */
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
