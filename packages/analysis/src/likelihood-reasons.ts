import { type Calibration, calibrated } from './calibration.ts';
import { DAY_MS, SHIPPED_WEIGHTS, stateEffect, stateOf, TYPICAL_FEATURES } from './likelihood.ts';
import { quotedList } from './quoted-list.ts';
import { siblingNames } from './siblings.ts';

/** The fields of an issue that its reasons mention. Times are milliseconds since 1970. */
export interface ReasonIssue {
  key: string;
  title: string;
  author: string | null;
  isClosed: boolean;
  createdAt: number;
  closedAt: number | null;
}

/** A sentence about a pair of issues, and its effect on the log-odds that they are duplicates. */
export interface Reason {
  text: string;
  effect: number;
}

/**
 * Minimum effect of a reason that is shown. A smaller effect changes the probability by less than 3
 * percentage points.
 */
const MIN_EFFECT = 0.1;

/**
 * Returns the reasons that raise or lower the probability that two issues are duplicates, strongest
 * first. Effects are relative to a typical pair with an open older issue. A typical pair is an
 * issue and its most similar older issue, with median features.
 */
export function likelihoodReasons(pair: {
  older: ReasonIssue;
  newer: ReasonIssue;
  similarity: number;
  /** Stored log-odds. They exclude the effect of the older issue's state. */
  logOdds: number;
  isMutualBest: boolean;
  /** Words that occur in both titles, rarest first. */
  sharedTitleWords: readonly string[];
  /** True if the texts are equal. A rule then judges the pair, regardless of the authors. */
  areEqual: boolean;
  /** Calibration of the account, and the number of judged pairs from which it was fitted. */
  calibration: Calibration & { judged: number };
}): { raises: Reason[]; lowers: Reason[] } {
  const { older, newer, similarity, logOdds, areEqual, calibration } = pair;
  const names = siblingNames(older.title, newer.title);
  const named = names === null ? 0 : SHIPPED_WEIGHTS.namedDifference;
  const isSameAuthor = !areEqual && older.author !== null && older.author === newer.author;
  const author = isSameAuthor ? SHIPPED_WEIGHTS.sameAuthor : 0;
  const alike = SHIPPED_WEIGHTS.similarity * (similarity - TYPICAL_FEATURES.similarity);
  const rest = logOdds - TYPICAL_LOG_ODDS - named - author - alike;
  const total = logOdds + stateEffect(stateOf(older, newer.createdAt));
  const reasons: Reason[] = [
    // If the texts are equal, the next reason already says so.
    { text: `Their texts are ${Math.round(similarity * 100)}% similar.`, effect: areEqual ? 0 : alike },
    { text: rest > 0 ? raisingText(pair) : loweringText(pair), effect: rest },
    { text: `${older.author ?? ''} wrote both issues.`, effect: author },
    ...(names === null ? [] : [namesReason(older, newer, names)]),
    stateReason(older, newer),
    {
      text: `The probability is adjusted to the ${calibration.judged} judged pairs of this account.`,
      effect: areEqual ? 0 : calibrated(total, calibration) - total,
    },
  ].filter(({ effect }) => Math.abs(effect) >= MIN_EFFECT);
  reasons.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  return {
    raises: reasons.filter(({ effect }) => effect > 0),
    lowers: reasons.filter(({ effect }) => effect < 0),
  };
}

type PairFacts = Pick<
  Parameters<typeof likelihoodReasons>[0],
  'areEqual' | 'isMutualBest' | 'sharedTitleWords'
>;

/** Returns the sentence about the words and the rank of a pair whose probability they raise. */
function raisingText({ areEqual, isMutualBest, sharedTitleWords }: PairFacts): string {
  if (areEqual) return 'Their texts are the same.';
  const words = sharedTitleWords.length > 0 ? `Both titles mention ${quotedList(sharedTitleWords)}` : null;
  if (!isMutualBest) return `${words ?? 'They share words'}.`;
  return words === null
    ? 'Each is the other’s most similar issue.'
    : `${words}, and each is the other’s most similar issue.`;
}

/**
 * Returns the sentence about the words or the rank of a pair whose probability they lower. If each
 * issue is the other's most similar one, the rank cannot lower it. The sentence then names the
 * words.
 */
function loweringText({ isMutualBest }: PairFacts): string {
  return isMutualBest
    ? 'They share few words, or only common ones.'
    : 'Another issue is more similar to one of them.';
}

function namesReason(older: ReasonIssue, newer: ReasonIssue, [first, second]: [string, string]): Reason {
  const text = `${older.key} names “${first}”, and ${newer.key} names “${second}”.`;
  return { text, effect: SHIPPED_WEIGHTS.namedDifference };
}

/** Log-odds of a typical pair with an open older issue. */
const TYPICAL_LOG_ODDS =
  SHIPPED_WEIGHTS.intercept +
  SHIPPED_WEIGHTS.similarity * TYPICAL_FEATURES.similarity +
  SHIPPED_WEIGHTS.sharedWords * TYPICAL_FEATURES.sharedWords +
  SHIPPED_WEIGHTS.rarestWord * TYPICAL_FEATURES.rarestWord +
  SHIPPED_WEIGHTS.newerMargin * TYPICAL_FEATURES.newerMargin +
  SHIPPED_WEIGHTS.olderMargin * TYPICAL_FEATURES.olderMargin;

/**
 * Returns the reason for the state of the older issue. Its effect is relative to the typical state
 * of an older issue, which is closed.
 */
function stateReason(older: ReasonIssue, newer: ReasonIssue): Reason {
  const state = stateOf(older, newer.createdAt);
  const effect = stateEffect(state) - stateEffect(TYPICAL_FEATURES);
  if (!older.isClosed) return { text: `${older.key} is open.`, effect };
  if (older.closedAt === null || older.closedAt >= newer.createdAt) {
    return { text: `${older.key} was closed after ${newer.key} was created.`, effect };
  }
  const days = Math.round((newer.createdAt - older.closedAt) / DAY_MS);
  const before = days === 1 ? '1 day' : `${days} days`;
  return { text: `${older.key} was closed ${before} before ${newer.key} was created.`, effect };
}
