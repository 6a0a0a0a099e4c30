import { acceptanceOf } from './checks/acceptance.ts';
import { approachOf } from './checks/approach.ts';
import { dependenciesOf } from './checks/dependencies.ts';
import { estimableOf } from './checks/estimable.ts';
import { goalOf } from './checks/goal.ts';
import { scopeOf } from './checks/scope.ts';
import { type CheckResult, clampScore, evidenceOf } from './criterion-score.ts';
import type { Reading } from './read-issue.ts';
import { type Signals, signalsOf } from './signals.ts';

/**
 * Checks whose scores are fitted to judgments of people. Dependencies are not among them, because
 * an issue either names its dependencies or does not.
 */
export type CalibratedCheck = 'goal' | 'acceptance' | 'scope' | 'approach' | 'estimable';

interface Part {
  find: (reading: Reading) => CheckResult;
  /** Weight of the criterion in the Definition of Ready. */
  share: number;
}

const WEIGHTED_CHECKS: Readonly<Record<CalibratedCheck | 'dependencies', Part>> = {
  goal: { find: goalOf, share: 0.25 },
  acceptance: { find: acceptanceOf, share: 0.25 },
  scope: { find: scopeOf, share: 0.15 },
  dependencies: { find: dependenciesOf, share: 0.1 },
  approach: { find: approachOf, share: 0.15 },
  estimable: { find: estimableOf, share: 0.1 },
};
/**
 * Weight of a criterion's own score. The remaining weight belongs to the score of the whole issue.
 */
const OWN_SCORE_WEIGHT = 0.5;
/**
 * Maximum effect of each signal on a score. `exact` raises the score, and the others lower it.
 * Fitted by non-negative least squares (ridge 0.3) to issues labeled by people, then rounded to
 * hundredths. The benchmark `readiness` repeats the fit with cross-validation.
 */
export const SIGNAL_WEIGHTS: Readonly<Record<CalibratedCheck, Signals>> = {
  goal: { exact: 0.51, unlisted: 0.01, personal: 0.03, open: 0.06 },
  acceptance: { exact: 0.46, unlisted: 0.15, personal: 0.26, open: 0.1 },
  scope: { exact: 1, unlisted: 0.13, personal: 0.17, open: 0.08 },
  approach: { exact: 0.62, unlisted: 0.1, personal: 0.35, open: 0.03 },
  estimable: { exact: 0.82, unlisted: 0.22, personal: 0.24, open: 0.04 },
};
/** Minimum effect on a score that the note mentions. */
const MIN_REPORTED_EFFECT = 0.1;
const SIGNAL_COSTS: readonly { signal: Exclude<keyof Signals, 'exact'>; note: string; fix: string }[] = [
  { signal: 'unlisted', note: 'Mentions things without naming them.', fix: 'Which ones exactly are meant?' },
  {
    signal: 'personal',
    note: 'Describes a personal experience rather than how the product behaves.',
    fix: 'Which part of the product does this come from?',
  },
  { signal: 'open', note: 'Something is still undecided.', fix: 'What are the answers to the open points?' },
];

/** Scores of an issue before calibration, and the signals that adjust them. */
export interface Uncalibrated {
  found: Readonly<Record<CalibratedCheck | 'dependencies', CheckResult>>;
  /** Weighted mean of all scores in `found`. */
  whole: number;
  signals: Signals;
}

const known = new WeakMap<Reading, Uncalibrated>();

/** Returns the scores before calibration. Caches them for each parsed issue. */
export function uncalibratedOf(reading: Reading): Uncalibrated {
  const before = known.get(reading);
  if (before !== undefined) return before;
  const found = {
    goal: WEIGHTED_CHECKS.goal.find(reading),
    acceptance: WEIGHTED_CHECKS.acceptance.find(reading),
    scope: WEIGHTED_CHECKS.scope.find(reading),
    dependencies: WEIGHTED_CHECKS.dependencies.find(reading),
    approach: WEIGHTED_CHECKS.approach.find(reading),
    estimable: WEIGHTED_CHECKS.estimable.find(reading),
  };
  const whole =
    WEIGHTED_CHECKS.goal.share * found.goal.score +
    WEIGHTED_CHECKS.acceptance.share * found.acceptance.score +
    WEIGHTED_CHECKS.scope.share * found.scope.score +
    WEIGHTED_CHECKS.dependencies.share * found.dependencies.score +
    WEIGHTED_CHECKS.approach.share * found.approach.score +
    WEIGHTED_CHECKS.estimable.share * found.estimable.score;
  const made = { found, whole, signals: signalsOf(reading) };
  known.set(reading, made);
  return made;
}

/**
 * Returns a score before the signals adjust it. One half is the criterion's own score, the other
 * half the score of the whole issue.
 */
export function unsignedScore(check: CalibratedCheck, { found, whole }: Uncalibrated): number {
  return OWN_SCORE_WEIGHT * found[check].score + (1 - OWN_SCORE_WEIGHT) * whole;
}

/**
 * Creates a check whose score is fitted to judgments of people. The score also depends on the whole
 * issue and on signals in its text.
 */
export function calibrated(check: CalibratedCheck): (reading: Reading) => CheckResult {
  return (reading) => {
    const uncalibrated = uncalibratedOf(reading);
    const own = uncalibrated.found[check];
    if (!reading.isWordingKnown) return own;
    const { signals } = uncalibrated;
    const weights = SIGNAL_WEIGHTS[check];
    const costs = SIGNAL_COSTS.map((cost) => ({
      ...cost,
      amount: weights[cost.signal] * signals[cost.signal],
    }));
    const gain = weights.exact * signals.exact;
    const cost = costs.reduce((sum, { amount }) => sum + amount, 0);
    const score = clampScore(unsignedScore(check, uncalibrated) + gain - cost);
    const isExact = gain >= MIN_REPORTED_EFFECT;
    const notes = [
      isExact ? 'Names its subject exactly.' : '',
      ...costs.filter(({ amount }) => amount >= MIN_REPORTED_EFFECT).map(({ note }) => note),
    ];
    return {
      score,
      note: [own.note, ...notes.filter((note) => note !== '' && !own.note.endsWith(note))].join(' '),
      evidence: isExact ? evidenceOf([...own.evidence, reading.title ?? undefined]) : own.evidence,
      fix: score === 1 ? null : (own.fix ?? heaviestFix(costs) ?? fixOfRest(uncalibrated)),
    };
  };
}

function heaviestFix(costs: readonly { fix: string; amount: number }[]): string | null {
  const heaviest = costs.reduce((a, b) => (b.amount > a.amount ? b : a));
  return heaviest.amount > 0 ? heaviest.fix : null;
}

/** Returns the suggested fix of the criterion with the lowest score. */
function fixOfRest({ found }: Uncalibrated): string {
  const weakest = Object.values(found).reduce((a, b) => (b.score < a.score ? b : a));
  return weakest.fix ?? 'What else would someone need to start on it tomorrow?';
}
