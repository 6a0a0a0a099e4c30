import { type Calibration, calibrated } from './calibration.ts';
import { DAY_MS, SHIPPED_WEIGHTS, stateEffect, stateOf, TYPICAL } from './likelihood.ts';
import { areSiblingTitles } from './siblings.ts';

/** The fields of an issue that reasons need. Times are milliseconds since 1970. */
export interface ReasonIssue {
  key: string;
  title: string;
  author: string | null;
  isClosed: boolean;
  createdAt: number;
  closedAt: number | null;
}

/** A sentence about two issues, and its effect on the log-odds that they are the same. */
export interface Reason {
  text: string;
  effect: number;
}

/** Minimum effect of a reason. Smaller effects change a probability by less than 3 points. */
const MIN_EFFECT = 0.1;

/**
 * Returns the reasons that raise or lower the probability that two issues are the same, the
 * strongest first. Effects are relative to an open older issue and the median of best candidates.
 */
export function likelihoodReasons(pair: {
  older: ReasonIssue;
  newer: ReasonIssue;
  similarity: number;
  /** Stored log-odds, without the effect of the older issue's state. */
  logOdds: number;
  isMutualBest: boolean;
  /** True for equal texts, which a rule judges regardless of their authors. */
  areEqual: boolean;
  /** Calibration of the backlog, and the number of judged pairs behind it. */
  calibration: Calibration & { judged: number };
}): { raises: Reason[]; lowers: Reason[] } {
  const { older, newer, similarity, logOdds, isMutualBest, areEqual, calibration } = pair;
  const named = areSiblingTitles(older.title, newer.title) ? SHIPPED_WEIGHTS.namedDifference : 0;
  const isSameAuthor = !areEqual && older.author !== null && older.author === newer.author;
  const author = isSameAuthor ? SHIPPED_WEIGHTS.sameAuthor : 0;
  const alike = SHIPPED_WEIGHTS.similarity * (similarity - TYPICAL.similarity);
  const rest = logOdds - TYPICAL_LOG_ODDS - named - author - alike;
  const total = logOdds + stateEffect(stateOf(older, newer.createdAt));
  const reasons: Reason[] = [
    { text: `Their texts are ${Math.round(similarity * 100)}% alike.`, effect: alike },
    {
      text: isMutualBest
        ? 'Each is the other’s most similar issue.'
        : 'They share words, and others are more similar to one of them.',
      effect: rest,
    },
    { text: `${older.author ?? ''} wrote both.`, effect: author },
    { text: 'Their titles name different things.', effect: named },
    stateReason(older, newer),
    {
      text: `It is adjusted to ${calibration.judged} judged pairs of this account.`,
      effect: areEqual ? 0 : calibrated(total, calibration) - total,
    },
  ].filter(({ effect }) => Math.abs(effect) >= MIN_EFFECT);
  reasons.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  return {
    raises: reasons.filter(({ effect }) => effect > 0),
    lowers: reasons.filter(({ effect }) => effect < 0),
  };
}

/** Log-odds of a typical best candidate whose older issue is open. */
const TYPICAL_LOG_ODDS =
  SHIPPED_WEIGHTS.intercept +
  SHIPPED_WEIGHTS.similarity * TYPICAL.similarity +
  SHIPPED_WEIGHTS.sharedWords * TYPICAL.sharedWords +
  SHIPPED_WEIGHTS.rarestWord * TYPICAL.rarestWord +
  SHIPPED_WEIGHTS.newerMargin * TYPICAL.newerMargin +
  SHIPPED_WEIGHTS.olderMargin * TYPICAL.olderMargin;

/**
 * Returns the reason for the state of the older issue, relative to a typical one: most are closed.
 */
function stateReason(older: ReasonIssue, newer: ReasonIssue): Reason {
  const state = stateOf(older, newer.createdAt);
  const effect = stateEffect(state) - stateEffect(TYPICAL);
  if (!older.isClosed) return { text: `${older.key} is open.`, effect };
  if (older.closedAt === null || older.closedAt >= newer.createdAt) {
    return { text: `${older.key} was closed after ${newer.key} was created.`, effect };
  }
  const days = Math.round((newer.createdAt - older.closedAt) / DAY_MS);
  const before = days === 1 ? '1 day' : `${days} days`;
  return { text: `${older.key} was closed ${before} before ${newer.key} was created.`, effect };
}
