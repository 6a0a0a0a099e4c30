import { randomOf } from '../shared/random.ts';

/** Best candidate of one tested issue by one method. */
export interface BestCandidate {
  newer: string;
  older: string;
  score: number;
  /** True if a label, or a chain of labels, calls the two duplicates. */
  isLabelled: boolean;
  /** True if the newer issue has an earlier duplicate. */
  isQuery: boolean;
}

/** Rounds a figure to four digits. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

type Scored = Pick<BestCandidate, 'score' | 'isLabelled'>;

/** Returns the share of queries whose best-ranked true duplicate is at `depth` or better. */
export const recallAt = (ranks: readonly number[], depth: number): number =>
  ranks.filter((rank) => rank <= depth).length / ranks.length;

/** Returns the mean of 1/rank; a duplicate that was not found has rank Infinity and counts 0. */
export const meanReciprocalRank = (ranks: readonly number[]): number =>
  ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;

/**
 * Returns the average precision of the tested issues, sorted by the score of their best candidate.
 * The divisor is the number of queries, so duplicates that are never the best candidate lower it.
 */
export function averagePrecision(best: readonly Scored[], queries: number): number {
  let [hits, sum] = [0, 0];
  for (const [at, { isLabelled }] of sorted(best).entries()) {
    if (!isLabelled) continue;
    hits += 1;
    sum += hits / (at + 1);
  }
  return sum / queries;
}

/**
 * Returns the share of labelled pairs among the `count` tested issues with the highest best score.
 */
export const precisionAt = (best: readonly Scored[], count: number): number =>
  sorted(best)
    .slice(0, count)
    .filter(({ isLabelled }) => isLabelled).length / count;

/** Returns the Wilson score interval of a share of `count`, at 95 %. */
export function wilson(share: number, count: number): [number, number] {
  const z = 1.96;
  const middle = share + (z * z) / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  return [(middle - spread) / scale, (middle + spread) / scale];
}

/** Number of resamples of a bootstrap. */
const RESAMPLES = 1_000;
const SEED = 1;

/**
 * Returns the 95 % interval of a measure: its 2.5 and 97.5 percentiles over 1,000 resamples of the
 * items with replacement. Each resample keeps the order of the items. Deterministic.
 */
export function bootstrap<Item>(
  items: readonly Item[],
  measure: (resample: readonly Item[]) => number,
): [number, number] {
  const random = randomOf(SEED);
  const values = Array.from({ length: RESAMPLES }, () => {
    const drawn = Uint32Array.from(items, () => Math.floor(random() * items.length)).sort();
    return measure(Array.from(drawn, (at) => items[at] as Item));
  })
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}

/** Returns candidates by score, best first. */
export const sorted = <Item extends Pick<Scored, 'score'>>(best: readonly Item[]): Item[] =>
  [...best].sort((a, b) => b.score - a.score);

/** Number of probability groups of equal width for the calibration error. */
const BINS = 10;

/**
 * Returns the mean difference between the probability and the share of correct pairs, over groups
 * of equal width, weighted by their size.
 */
export function calibrationError(pairs: readonly { probability: number; isRight: boolean }[]): number {
  const gaps = [...binsOf(pairs).values()].map((bin) =>
    Math.abs(bin.reduce((sum, { probability, isRight }) => sum + probability - (isRight ? 1 : 0), 0)),
  );
  return pairs.length === 0 ? 0 : gaps.reduce((total, gap) => total + gap, 0) / pairs.length;
}

/**
 * Returns the calibration error that these probabilities are expected to have by chance, if each is
 * exactly right: the mean absolute value of a normal distribution per group.
 */
export function calibrationErrorByChance(pairs: readonly { probability: number }[]): number {
  const gaps = [...binsOf(pairs).values()].map((bin) => {
    const variance = bin.reduce((sum, { probability }) => sum + probability * (1 - probability), 0);
    return Math.sqrt((2 * variance) / Math.PI);
  });
  return pairs.length === 0 ? 0 : gaps.reduce((total, gap) => total + gap, 0) / pairs.length;
}

function binsOf<Pair extends { probability: number }>(pairs: readonly Pair[]): Map<number, Pair[]> {
  return Map.groupBy(pairs, ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)));
}
