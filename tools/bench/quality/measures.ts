import { randomOf } from '../shared/random.ts';

/** The best candidate that a method found for a tested issue. */
export interface BestCandidate {
  newer: string;
  older: string;
  score: number;
  /** True if a label, or a chain of labels, marks the two issues as duplicates. */
  isLabelled: boolean;
  /** True if the newer issue has a duplicate among earlier issues. */
  isQuery: boolean;
}

/** Rounds a figure to four decimals. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

type Scored = Pick<BestCandidate, 'score' | 'isLabelled'>;

/** Returns the share of queries with a true duplicate at rank `depth` or better. */
export const recallAt = (ranks: readonly number[], depth: number): number =>
  ranks.filter((rank) => rank <= depth).length / ranks.length;

/**
 * Returns the mean of 1/rank. A duplicate that was not found has the rank Infinity and contributes
 * 0.
 */
export const meanReciprocalRank = (ranks: readonly number[]): number =>
  ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;

/**
 * Returns the average precision of the tested issues, sorted by the score of their best candidate.
 * The divisor is the number of queries. Duplicates that are never the best candidate therefore
 * lower the result.
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
 * Returns the share of labelled pairs among the `count` best candidates with the highest scores.
 */
export const precisionAt = (best: readonly Scored[], count: number): number =>
  sorted(best)
    .slice(0, count)
    .filter(({ isLabelled }) => isLabelled).length / count;

/** Returns the Wilson score interval at 95 %, for a share of `count` items. */
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
 * Returns the 95 % interval of a measure. The ends are the 2.5 and 97.5 percentiles over 1,000
 * resamples of the items, drawn with replacement.
 * Each resample retains the order of the items. The result is the same in every run.
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

/** Sorts candidates by score, best first. */
export const sorted = <Item extends Pick<Scored, 'score'>>(best: readonly Item[]): Item[] =>
  [...best].sort((a, b) => b.score - a.score);

/**
 * Number of groups for the calibration error. Each group covers an equal range of probabilities.
 */
const BINS = 10;

/**
 * Returns the calibration error: the mean difference between the predicted probability and the
 * actual share of correct pairs. The mean covers groups of probabilities, weighted by their size.
 */
export function calibrationError(pairs: readonly { probability: number; isRight: boolean }[]): number {
  const gaps = [...binsOf(pairs).values()].map((bin) =>
    Math.abs(bin.reduce((sum, { probability, isRight }) => sum + probability - (isRight ? 1 : 0), 0)),
  );
  return pairs.length === 0 ? 0 : gaps.reduce((total, gap) => total + gap, 0) / pairs.length;
}

/**
 * Returns the calibration error that would occur by chance if all probabilities were exactly right.
 * For each group, this is the mean absolute value of a normal distribution.
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
