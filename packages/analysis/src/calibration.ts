import { probabilityOf } from './likelihood.ts';
import { hashTerm } from './term-hash.ts';

/** Adjusts log-odds to one backlog: `slope` times the log-odds, plus `offset`. */
export interface Calibration {
  slope: number;
  offset: number;
}

/** A pair with the judgment of a person. */
export interface LabeledPair {
  /** Identifies the pair. Decides whether it is held back. */
  key: string;
  /** Log-odds without a calibration, with the effect of the older issue's state. */
  logOdds: number;
  isSame: boolean;
}

/** Outcome of fitting a calibration to labeled pairs. */
export interface CalibrationFit {
  calibration: Calibration;
  /** Number of pairs of the fit, and of those held back from it. */
  fitted: number;
  heldBack: number;
  /** Mean log loss of the pairs held back, without and with the calibration. */
  lossBefore: number;
  lossAfter: number;
}

/** The calibration that changes nothing. */
export const UNCALIBRATED: Calibration = { slope: 1, offset: 0 };
/** Minimum labeled pairs of a fit: in total, and for each of the two judgments. */
const MIN_PAIRS = 30;
const MIN_PAIRS_PER_ANSWER = 5;
/** The fit leaves out every third pair, which then tests the calibration. */
const HELD_BACK_IN = 3;
/** Number of labeled pairs that the shipped probabilities count as. */
const PRIOR_WEIGHT = 4;
const NEWTON_STEPS = 100;
/** Minimum share of a step that is tried before the search ends. */
const MIN_STEP_SHARE = 1e-6;
const MAX_CHANGE_OF_LAST_STEP = 1e-9;
/** Minimum slope. A lower one would order pairs by chance, or the wrong way round. */
const MIN_SLOPE = 0.2;

/** Applies a calibration to log-odds. */
export function calibrated(logOdds: number, { slope, offset }: Calibration): number {
  return slope * logOdds + offset;
}

/**
 * Fits a calibration to labeled pairs (Platt scaling, with a prior at the shipped probabilities).
 * Deterministic: the order has no effect. Returns null if there are fewer than 30 pairs in total
 * or 5 of one judgment. Also returns null if the pairs held back all have one judgment, or if the
 * fit predicts them worse.
 */
export function fitCalibration(labeled: readonly LabeledPair[]): CalibrationFit | null {
  const ordered = labeled.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const heldBack = ordered.filter(({ key }) => hashTerm(key) % HELD_BACK_IN === 0);
  const fitted = ordered.filter(({ key }) => hashTerm(key) % HELD_BACK_IN !== 0);
  if (labeled.length < MIN_PAIRS || fewerOfAnAnswer(labeled) < MIN_PAIRS_PER_ANSWER) return null;
  // If all pairs held back have the same judgment, they cannot test a slope.
  if (fewerOfAnAnswer(heldBack) === 0) return null;
  const calibration = platt(fitted);
  const lossBefore = meanLoss(heldBack, UNCALIBRATED);
  const lossAfter = meanLoss(heldBack, calibration);
  if (lossAfter > lossBefore) return null;
  return { calibration, fitted: fitted.length, heldBack: heldBack.length, lossBefore, lossAfter };
}

/** Returns the number of pairs with the rarer of the two answers. */
function fewerOfAnAnswer(labeled: readonly LabeledPair[]): number {
  const same = labeled.filter(({ isSame }) => isSame).length;
  return Math.min(same, labeled.length - same);
}

/** Minimizes the log loss and the distance from the shipped probabilities by Newton's method. */
function platt(labeled: readonly LabeledPair[]): Calibration {
  const free = minimized(labeled, UNCALIBRATED, true);
  return free.slope >= MIN_SLOPE
    ? free
    : minimized(labeled, { slope: MIN_SLOPE, offset: free.offset }, false);
}

/**
 * Minimizes over the offset, and over the slope if it is free. Halves a step that would increase
 * the loss, since whole steps diverge where probabilities are near 0 or 1.
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

/** Returns the change of slope and offset by Newton's method. */
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
