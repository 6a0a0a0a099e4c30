import { probabilityOf } from './likelihood.ts';
import { hashTerm } from './term-hash.ts';

/** Adjusts duplicate probabilities to one backlog: `slope` times the log-odds, plus `offset`. */
export interface Calibration {
  slope: number;
  offset: number;
}

/** A pair of issues, and whether a person judged it as duplicates. */
export interface LabeledPair {
  /** Identifies the pair. Its hash decides whether the fit leaves the pair out for testing. */
  key: string;
  /** Uncalibrated log-odds of a duplicate. They include the effect of the older issue's state. */
  logOdds: number;
  isSame: boolean;
}

/** Outcome of fitting a calibration to labeled pairs. */
export interface CalibrationFit {
  calibration: Calibration;
  /** Number of pairs used for the fit, and number of pairs left out to test it. */
  fitted: number;
  heldBack: number;
  /** Mean log loss of the pairs left out of the fit, without and with the calibration. */
  lossBefore: number;
  lossAfter: number;
}

/** Calibration that leaves all probabilities unchanged. */
export const UNCALIBRATED: Calibration = { slope: 1, offset: 0 };
/** Minimum labeled pairs for a fit: in total, and of each judgment (duplicate or different). */
const MIN_PAIRS = 30;
const MIN_PAIRS_PER_ANSWER = 5;
/** One in this many pairs is left out of the fit and tests it. */
const HELD_BACK_IN = 3;
/** Weight of the shipped probabilities in the fit, as a number of labeled pairs. */
const PRIOR_WEIGHT = 4;
const NEWTON_STEPS = 100;
/** Smallest fraction of a step that the search tries. */
const MIN_STEP_SHARE = 1e-6;
const MAX_CHANGE_OF_LAST_STEP = 1e-9;
/**
 * Minimum slope. A lower slope would order pairs almost by chance. A negative slope would reverse
 * the order.
 */
const MIN_SLOPE = 0.2;

/** Applies a calibration to log-odds. */
export function calibrated(logOdds: number, { slope, offset }: Calibration): number {
  return slope * logOdds + offset;
}

/**
 * Fits a calibration to labeled pairs by Platt scaling, with the shipped probabilities as prior.
 * Deterministic: the order of the pairs has no effect.
 *
 * Returns null if there are fewer than 30 pairs, or fewer than 5 of one judgment. Also returns null
 * if the left-out pairs all have one judgment, or if the calibration predicts them worse.
 */
export function fitCalibration(labeled: readonly LabeledPair[]): CalibrationFit | null {
  const ordered = labeled.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const heldBack = ordered.filter(({ key }) => hashTerm(key) % HELD_BACK_IN === 0);
  const fitted = ordered.filter(({ key }) => hashTerm(key) % HELD_BACK_IN !== 0);
  if (labeled.length < MIN_PAIRS || fewerOfAnAnswer(labeled) < MIN_PAIRS_PER_ANSWER) return null;
  // If all left-out pairs have the same judgment, they cannot test a slope.
  if (fewerOfAnAnswer(heldBack) === 0) return null;
  const calibration = platt(fitted);
  const lossBefore = meanLoss(heldBack, UNCALIBRATED);
  const lossAfter = meanLoss(heldBack, calibration);
  if (lossAfter > lossBefore) return null;
  return { calibration, fitted: fitted.length, heldBack: heldBack.length, lossBefore, lossAfter };
}

/**
 * Counts the pairs judged as duplicates and the pairs judged as different. Returns the smaller
 * count.
 */
function fewerOfAnAnswer(labeled: readonly LabeledPair[]): number {
  const same = labeled.filter(({ isSame }) => isSame).length;
  return Math.min(same, labeled.length - same);
}

/**
 * Fits slope and offset by Platt scaling. Newton's method minimizes the log loss plus a penalty for
 * the distance from the uncalibrated probabilities.
 */
function platt(labeled: readonly LabeledPair[]): Calibration {
  const free = minimized(labeled, UNCALIBRATED, true);
  return free.slope >= MIN_SLOPE
    ? free
    : minimized(labeled, { slope: MIN_SLOPE, offset: free.offset }, false);
}

/**
 * Minimizes the loss over the offset, and over the slope if `isSlopeFree`. Halves each step that
 * would increase the loss. Whole steps diverge where probabilities are near 0 or 1.
 */
function minimized(labeled: readonly LabeledPair[], start: Calibration, isSlopeFree: boolean): Calibration {
  let now = start;
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const { slope, offset } = newtonStep(labeled, now, isSlopeFree);
    const loss = penalizedLoss(labeled, now);
    const after = (share: number): Calibration => {
      return { slope: now.slope - share * slope, offset: now.offset - share * offset };
    };
    let share = 1;
    while (share > MIN_STEP_SHARE && penalizedLoss(labeled, after(share)) > loss) share /= 2;
    now = after(share);
    if (share * (Math.abs(slope) + Math.abs(offset)) < MAX_CHANGE_OF_LAST_STEP) break;
  }
  return now;
}

/** Returns the step of Newton's method for slope and offset. */
function newtonStep(
  labeled: readonly LabeledPair[],
  { slope, offset }: Calibration,
  isSlopeFree: boolean,
): Calibration {
  let [bySlope, byOffset] = [PRIOR_WEIGHT * (slope - 1), PRIOR_WEIGHT * offset];
  let [slopeTwice, both, offsetTwice] = [PRIOR_WEIGHT, 0, PRIOR_WEIGHT];
  for (const { logOdds, isSame } of labeled) {
    const probability = probabilityOf(slope * logOdds + offset);
    const error = probability - (isSame ? 1 : 0);
    const curvature = probability * (1 - probability);
    bySlope += error * logOdds;
    byOffset += error;
    slopeTwice += curvature * logOdds * logOdds;
    both += curvature * logOdds;
    offsetTwice += curvature;
  }
  if (!isSlopeFree) return { slope: 0, offset: byOffset / offsetTwice };
  const determinant = slopeTwice * offsetTwice - both * both;
  return {
    slope: (offsetTwice * bySlope - both * byOffset) / determinant,
    offset: (slopeTwice * byOffset - both * bySlope) / determinant,
  };
}

/** Returns the log loss plus the penalty for the distance from the shipped probabilities. */
function penalizedLoss(labeled: readonly LabeledPair[], { slope, offset }: Calibration): number {
  return sumOfLosses(labeled, { slope, offset }) + (PRIOR_WEIGHT / 2) * ((slope - 1) ** 2 + offset ** 2);
}

function meanLoss(labeled: readonly LabeledPair[], calibration: Calibration): number {
  return sumOfLosses(labeled, calibration) / labeled.length;
}

function sumOfLosses(labeled: readonly LabeledPair[], calibration: Calibration): number {
  return labeled.reduce((total, { logOdds, isSame }) => {
    const toward = (isSame ? 1 : -1) * calibrated(logOdds, calibration);
    return total + Math.log1p(Math.exp(-Math.abs(toward))) + Math.max(0, -toward);
  }, 0);
}
