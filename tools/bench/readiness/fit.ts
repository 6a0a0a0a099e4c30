const ROUNDS = 400;

/**
 * Returns the non-negative weights of `columns` that approximate `y` best by least squares. A
 * larger `ridge` results in smaller weights.
 * Coordinate descent starts at zero, so the result is the same in every run.
 */
export function nonnegativeFit(
  rows: readonly (readonly number[])[],
  y: readonly number[],
  ridge: number,
): number[] {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? 0));
  const weights = columns.map(() => 0);
  const rest = [...y];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, column] of columns.entries()) {
      const before = weights[index] ?? 0;
      const square = column.reduce((sum, x) => sum + x * x, 0);
      const slope = column.reduce((sum, x, row) => sum + x * (rest[row] ?? 0), 0);
      const weight = Math.max(0, (slope + square * before) / (square + ridge));
      for (const [row, x] of column.entries()) rest[row] = (rest[row] ?? 0) - (weight - before) * x;
      weights[index] = weight;
    }
  }
  return weights;
}

/**
 * Returns the non-decreasing step function that fits points `[x, y]` best by least squares. The
 * algorithm is pool adjacent violators.
 */
export function monotoneFit(points: readonly (readonly [number, number])[]): (x: number) => number {
  const pools: { from: number; sum: number; count: number }[] = [];
  for (const [from, y] of points.toSorted(([a], [b]) => a - b)) {
    let pool = { from, sum: y, count: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.count >= pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pool = { from: last.from, sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  return (x) => {
    const pool = pools.findLast(({ from }) => from <= x) ?? pools[0];
    return pool === undefined ? 0 : pool.sum / pool.count;
  };
}
