/** Upper bound of the first bucket of a histogram, in milliseconds. */
const FIRST_BUCKET_MS = 0.5;
/** Ratio of each bucket's upper bound to that of the previous bucket. */
const BUCKET_GROWTH = 1.1;
/** Number of buckets. The last bucket begins at about 4.3 minutes and has no upper bound. */
const BUCKET_COUNT = 140;

/**
 * Number of durations in each bucket, shortest durations first. Trailing empty buckets are omitted.
 * Two histograms are merged by adding their buckets.
 */
export type LatencyHistogram = readonly number[];

/** Returns a histogram that contains a single duration. */
export function histogramOf(durationMs: number): LatencyHistogram {
  return histogramFrom([[bucketOf(durationMs), 1]]);
}

/** Builds a histogram from pairs of bucket index and count, in any order. */
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
 * Returns a quantile of the durations in milliseconds; null for an empty histogram. `quantile` is
 * between 0 and 1.
 *
 * The relative error against the exact nearest rank is below 5 %. The returned value has the same
 * relative distance from both bounds of its bucket, as in DDSketch (Masson et al. 2019).
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
  return bucket === 0
    ? FIRST_BUCKET_MS
    : (FIRST_BUCKET_MS * BUCKET_GROWTH ** bucket * 2) / (BUCKET_GROWTH + 1);
}

function bucketOf(durationMs: number): number {
  if (!(durationMs > FIRST_BUCKET_MS)) return 0;
  return Math.min(
    BUCKET_COUNT - 1,
    Math.ceil(Math.log(durationMs / FIRST_BUCKET_MS) / Math.log(BUCKET_GROWTH)),
  );
}
