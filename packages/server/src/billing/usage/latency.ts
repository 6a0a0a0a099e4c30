/** Up to this, requests are not told apart. */
const SHORTEST_MS = 0.5;
/** A bucket ends where the next one begins, each this much wider than the one before. */
const GROWTH = 1.1;
/** The last bucket begins at about four and a half minutes and has no end. */
const BUCKETS = 140;

/**
 * How many durations fell into each bucket, from the shortest on; buckets after the last that has any are left out. Two are
 * merged by adding bucket to bucket.
 */
export type LatencyHistogram = readonly number[];

/** The histogram of one duration. */
export function histogramOf(durationMs: number): LatencyHistogram {
  return histogramFrom([[bucketOf(durationMs), 1]]);
}

/** The histogram with these numbers of durations in these buckets, in whatever order. */
export function histogramFrom(
  buckets: readonly (readonly [bucket: number, count: number])[],
): LatencyHistogram {
  const histogram = new Array<number>(Math.max(-1, ...buckets.map(([bucket]) => bucket)) + 1).fill(0);
  for (const [bucket, count] of buckets) histogram[bucket] = count;
  return histogram;
}

export function mergeHistograms(left: LatencyHistogram, right: LatencyHistogram): LatencyHistogram {
  const [longer, shorter] = left.length < right.length ? [right, left] : [left, right];
  return longer.map((count, bucket) => count + (shorter[bucket] ?? 0));
}

/**
 * The duration that `quantile` (0 to 1) of all stayed within, in milliseconds; null for an empty histogram. It is at most
 * (GROWTH − 1) / (GROWTH + 1), less than 5 %, off the exact nearest-rank figure: it lies between the ends of the bucket
 * so that it is as far from one as from the other (as in DDSketch, Masson et al. 2019).
 */
export function quantileOf(histogram: LatencyHistogram, quantile: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(quantile * total));
  let seen = 0;
  const bucket = histogram.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  return bucket === 0 ? SHORTEST_MS : (SHORTEST_MS * GROWTH ** bucket * 2) / (GROWTH + 1);
}

function bucketOf(durationMs: number): number {
  if (!(durationMs > SHORTEST_MS)) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(durationMs / SHORTEST_MS) / Math.log(GROWTH)));
}
