import type { DocumentTerms } from './document-terms.ts';
import type { IndexedIssue, Scale } from './indexed-issue.ts';
import weightsFile from './likelihood/weights.json' with { type: 'json' };
import { areSiblings } from './siblings.ts';

/** Names of the features behind the probability, in the order in which the fit reads them. */
export const FEATURES = [
  /** Similarity of the two issues. */
  'similarity',
  /** ln(1 + number of words in both texts). */
  'sharedWords',
  /** Weight of the rarest word in both texts, as a share of the weight of a word never seen. */
  'rarestWord',
  /** 1 if one person wrote both and the texts differ. */
  'sameAuthor',
  /**
   * ln(1 + number of older issues that are more similar to the newer issue than this older one).
   */
  'logRank',
  /**
   * Similarity of the pair minus that of the newer issue to its most similar other older issue.
   * Negative if that other issue is more similar.
   */
  'newerMargin',
  /**
   * Same margin for the older issue: compared with its most similar other issue, among those older
   * than the newer one.
   */
  'olderMargin',
  /**
   * 1 if the titles are the same sentence about different things: each names something that the
   * other does not.
   */
  'namedDifference',
  /** 1 if the older issue is closed. */
  'closed',
  /** ln(1 + days from the older issue's closing to the newer one's creation). */
  'logDaysSinceClosing',
] as const;
type Feature = (typeof FEATURES)[number];
export type Features = Readonly<Record<Feature, number>>;
/** Features of the texts and authors. The database computes the state of the older issue. */
export interface TextFeatures extends Omit<Features, 'closed' | 'logDaysSinceClosing'> {
  /** 1 if the normalized texts are equal. Then a rule decides instead of a weight. */
  identical: number;
}

/** Weights of the features, as written by `tools/fit/likelihood.ts`. */
export interface Weights extends Features {
  intercept: number;
}

export const SHIPPED_WEIGHTS: Weights = weightsFile.weights;
/** Typical feature values. Explanations give effects on the probability relative to these. */
export const TYPICAL_FEATURES: Features = weightsFile.typical;
/** Effect of a closed older issue on the log-odds. The database computes the same. */
export const STATE_WEIGHTS = {
  closed: SHIPPED_WEIGHTS.closed,
  logDaysSinceClosing: SHIPPED_WEIGHTS.logDaysSinceClosing,
} as const;

export const DAY_MS = 86_400_000;
/** Minimum log-odds of equal texts: a probability of 0.98 while the older one is open. */
const IDENTICAL_LOG_ODDS = 4;
/** Limit of the log-odds in either direction. */
const MAX_LOG_ODDS = 30;

/** State of the older issue when the newer one was created. */
export interface StateOfOlder {
  closed: number;
  logDaysSinceClosing: number;
}
const OPEN_OLDER_ISSUE: StateOfOlder = { closed: 0, logDaysSinceClosing: 0 };

/**
 * Returns the state features of an issue. One that was closed at an unknown time, or later than
 * `at`, counts as just closed.
 */
export function stateOf(older: { isClosed: boolean; closedAt: number | null }, at: number): StateOfOlder {
  if (!older.isClosed) return OPEN_OLDER_ISSUE;
  const days = older.closedAt === null ? 0 : Math.max(0, (at - older.closedAt) / DAY_MS);
  return { closed: 1, logDaysSinceClosing: Math.log1p(days) };
}

/** Returns what the state of the older issue adds to the log-odds: 0 while it is open. */
export function stateEffect(state: StateOfOlder, weights: Weights = SHIPPED_WEIGHTS): number {
  return weights.closed * state.closed + weights.logDaysSinceClosing * state.logDaysSinceClosing;
}

/** Rank of two issues among the others that are older than the newer one. */
export interface BestOthers {
  /** Similarity of the newer issue to its best other one. */
  newer: number;
  /** Similarity of the older issue to its best other one. */
  older: number;
  /** Number of other issues that are more similar to the newer issue than the older one is. */
  nearer: number;
}

/** Computes the features of an older and a newer issue. */
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
 * Returns the log-odds that two issues are the same, without the effect of the older one's state.
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
 * Returns the probability that two open issues of this similarity are the same, with typical values
 * for all other features.
 */
export function typicalProbability(similarity: number): number {
  return probabilityOf(textLogOdds({ ...TYPICAL_FEATURES, similarity, identical: 0 }));
}

/** True if each issue is the other's most similar one. */
export function isMutualBest({ newerMargin, olderMargin }: TextFeatures): boolean {
  return newerMargin >= 0 && olderMargin >= 0;
}

/** Counts the shared terms with a weight above 0, and returns the weight of the rarest. */
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
