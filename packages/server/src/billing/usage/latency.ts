/** Upper end of the first bucket of a histogram. */
const FIRST_BUCKET_MS = 0.5;
/** Width of each bucket relative to the previous one. */
const BUCKET_GROWTH = 1.1;
/** Number of buckets. The last one begins at about 4.3 minutes and has no upper end. */
const BUCKET_COUNT = 140;

/**
 * Number of durations in each bucket, shortest first, without trailing empty buckets. Histograms
 * are merged by adding buckets.
 */
export type LatencyHistogram = readonly number[];

/** Returns the histogram of one duration. */
export function histogramOf(durationMs: number): LatencyHistogram {
  return histogramFrom([[bucketOf(durationMs), 1]]);
}

/** Returns the histogram with the given counts of buckets, in any order. */
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
 * Returns the duration in milliseconds below which the share `quantile` (0 to 1) of all durations
 * lies; null for an empty histogram.
 *
 * The error is less than 5 % against the exact nearest rank. The result has the same relative
 * distance from both ends of its bucket (as in DDSketch, Masson et al. 2019).
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
