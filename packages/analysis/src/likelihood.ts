import type { DocumentTerms } from './document-terms.ts';
import type { IndexedIssue, Scale } from './indexed-issue.ts';
import weightsFile from './likelihood/weights.json' with { type: 'json' };
import { areSiblings } from './siblings.ts';

/**
 * Names of the features from which the duplicate probability of a pair is computed, in the order in
 * which the fit reads them.
 */
export const FEATURES = [
  /** Similarity of the pair, from 0 to 1. */
  'similarity',
  /** ln(1 + number of words that occur in both texts). */
  'sharedWords',
  /**
   * Weight of the rarest word in both texts, as a share of the weight of a word that occurs in no
   * issue.
   */
  'rarestWord',
  /** 1 if both issues have the same author and different texts. */
  'sameAuthor',
  /**
   * ln(1 + number of older issues that are more similar to the newer issue of the pair than its
   * older issue).
   */
  'logRank',
  /**
   * Similarity of the pair minus the highest similarity of the newer issue to another older issue.
   * Negative if that other issue is more similar.
   */
  'newerMargin',
  /**
   * The same for the older issue of the pair: similarity of the pair minus its highest similarity
   * to another issue. Only issues older than the newer one count.
   */
  'olderMargin',
  /**
   * 1 if the titles are the same sentence about different things: each title names something that
   * the other lacks.
   */
  'namedDifference',
  /** 1 if the older issue is closed. */
  'closed',
  /**
   * ln(1 + days from the closing of the older issue to the creation of the newer issue). 0 if the
   * older issue was closed later.
   */
  'logDaysSinceClosing',
] as const;
type Feature = (typeof FEATURES)[number];
export type Features = Readonly<Record<Feature, number>>;
/**
 * Features that depend on texts and authors. The database computes those that depend on the older
 * issue's state.
 */
export interface TextFeatures extends Omit<Features, 'closed' | 'logDaysSinceClosing'> {
  /** 1 if the normalized texts are equal. A rule then sets a minimum probability. */
  identical: number;
}

/** Weights of the features. `tools/fit/likelihood.ts` writes them. */
export interface Weights extends Features {
  intercept: number;
}

export const SHIPPED_WEIGHTS: Weights = weightsFile.weights;
/** Typical feature values. Explanations state effects relative to these. */
export const TYPICAL_FEATURES: Features = weightsFile.typical;
/** Effect of the older issue's state on the log-odds. The database uses the same weights. */
export const STATE_WEIGHTS = {
  closed: SHIPPED_WEIGHTS.closed,
  logDaysSinceClosing: SHIPPED_WEIGHTS.logDaysSinceClosing,
} as const;

export const DAY_MS = 86_400_000;
/** Minimum log-odds of equal texts. This is a probability of 0.98 if the older issue is open. */
const IDENTICAL_LOG_ODDS = 4;
/** Log-odds are limited to ± this value. */
const MAX_LOG_ODDS = 30;

/** Features of the older issue's state. */
export interface StateOfOlder {
  closed: number;
  logDaysSinceClosing: number;
}
const OPEN_OLDER_ISSUE: StateOfOlder = { closed: 0, logDaysSinceClosing: 0 };

/**
 * Returns the state features of the older issue at time `at`. If it was closed at an unknown time,
 * or later than `at`, it counts as closed at that moment.
 */
export function stateOf(older: { isClosed: boolean; closedAt: number | null }, at: number): StateOfOlder {
  if (!older.isClosed) return OPEN_OLDER_ISSUE;
  const days = older.closedAt === null ? 0 : Math.max(0, (at - older.closedAt) / DAY_MS);
  return { closed: 1, logDaysSinceClosing: Math.log1p(days) };
}

/** Returns the effect of the older issue's state on the log-odds: 0 if it is open. */
export function stateEffect(state: StateOfOlder, weights: Weights = SHIPPED_WEIGHTS): number {
  return weights.closed * state.closed + weights.logDaysSinceClosing * state.logDaysSinceClosing;
}

/**
 * Compares a pair with other pairs of the same issues. Only issues older than the newer one count.
 */
export interface BestOthers {
  /** Highest similarity of the newer issue to an issue outside the pair. */
  newer: number;
  /** Highest similarity of the older issue to an issue outside the pair. */
  older: number;
  /** Number of issues outside the pair that are more similar to the newer issue than the pair. */
  nearer: number;
}

/** Computes the features of a pair that depend on its texts and authors. */
export function textFeatures(
  older: IndexedIssue,
  newer: IndexedIssue,
  similarity: number,
  best: BestOthers,
  scale: Scale,
): TextFeatures {
  const { count, rarest } = sharedWords(older.terms, newer.terms, scale);
  const identical = older.digest === newer.digest;
  return {
    similarity,
    sharedWords: Math.log1p(count),
    rarestWord: scale.unseen > 0 ? rarest / scale.unseen : 0,
    sameAuthor: !identical && older.author !== null && older.author === newer.author ? 1 : 0,
    logRank: Math.log1p(best.nearer),
    newerMargin: similarity - best.newer,
    olderMargin: similarity - best.older,
    namedDifference: areSiblings(older.title, newer.title) ? 1 : 0,
    identical: identical ? 1 : 0,
  };
}

/**
 * Returns the log-odds that two issues are duplicates. Excludes the effect of the older issue's
 * state.
 */
export function textLogOdds(features: TextFeatures, weights: Weights = SHIPPED_WEIGHTS): number {
  const sum =
    weights.intercept +
    weights.similarity * features.similarity +
    weights.sharedWords * features.sharedWords +
    weights.rarestWord * features.rarestWord +
    weights.sameAuthor * features.sameAuthor +
    weights.logRank * features.logRank +
    weights.newerMargin * features.newerMargin +
    weights.olderMargin * features.olderMargin +
    weights.namedDifference * features.namedDifference;
  return features.identical === 1 ? Math.max(IDENTICAL_LOG_ODDS, sum) : sum;
}

/** Converts log-odds to a probability. */
export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-Math.max(-MAX_LOG_ODDS, Math.min(MAX_LOG_ODDS, logOdds))));
}

/**
 * Returns the probability that two open issues of this similarity are duplicates. Assumes typical
 * values for all other features.
 */
export function typicalProbability(similarity: number): number {
  return probabilityOf(textLogOdds({ ...TYPICAL_FEATURES, similarity, identical: 0 }));
}

/** True if each issue of the pair is the other's most similar issue. */
export function isMutualBest({ newerMargin, olderMargin }: TextFeatures): boolean {
  return newerMargin >= 0 && olderMargin >= 0;
}

/**
 * Counts the terms of both issues with a weight above 0. `rarest` is the highest weight among them.
 */
function sharedWords(a: DocumentTerms, b: DocumentTerms, { idf }: Scale): { count: number; rarest: number } {
  let [at, other, count, rarest] = [0, 0, 0, 0];
  while (at < a.terms.length && other < b.terms.length) {
    const [one, two] = [a.terms[at] ?? 0, b.terms[other] ?? 0];
    if (one === two) {
      const weight = idf[one] ?? 0;
      if (weight > 0) count += 1;
      if (weight > rarest) rarest = weight;
    }
    if (one <= two) at += 1;
    if (two <= one) other += 1;
  }
  return { count, rarest };
}
