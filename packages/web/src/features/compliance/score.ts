import type { Tone } from '../../theme/tones.ts';

/** Text shown for an issue with a score of 0. */
export const NOT_EVALUATED =
  'This issue could not be evaluated and requires manual review. It may be missing key information or be too vague.';

/**
 * Thresholds for scores and for confidence. A value above 0.8 is green, a value above 0.5 is amber,
 * and a lower value is red.
 */
const MIN_GOOD_SCORE = 0.8;
const MIN_FAIR_SCORE = 0.5;

/**
 * Formats a score from 0 to 1 as a whole percentage. Only scores of exactly 0 and 1 read 0% and
 * 100%.
 */
export function scoreText(score: number): string {
  if (score > 0 && score < 1) return `${Math.min(99, Math.max(1, Math.round(score * 100)))}%`;
  return `${Math.round(score * 100)}%`;
}

/**
 * Returns the color tone of a score. Display the number as well, since color alone is not
 * accessible.
 */
export function scoreTone(score: number): Extract<Tone, 'success' | 'warning' | 'danger'> {
  if (score > MIN_GOOD_SCORE) return 'success';
  return score > MIN_FAIR_SCORE ? 'warning' : 'danger';
}

/**
 * Explanations of what a score of 100% means, by prompt id. Contains only prompts for which this is
 * not obvious.
 */
const MEANINGS: Partial<Record<string, string>> = {
  risk_assessment_v1: '100% is a low risk, 0% a high one',
  complexity_v1: '100% is a small change, 0% a large one',
};

/** Short forms of `MEANINGS`, for column headings. */
const SHORT_MEANINGS: Partial<Record<string, string>> = {
  risk_assessment_v1: '100% = low',
  complexity_v1: '100% = small',
};

/**
 * Explains in a few words what a score of 100% means, for a column heading. Null if a higher score
 * is simply better.
 */
export function shortMeaningOf(promptId: string | undefined): string | null {
  return promptId === undefined ? null : (SHORT_MEANINGS[promptId] ?? null);
}

/** Explains in one phrase what a score of 100% means. Null if a higher score is simply better. */
export function meaningOf(promptId: string | undefined): string | null {
  return promptId === undefined ? null : (MEANINGS[promptId] ?? null);
}

/** True if an issue meets a criterion so well that the suggestion for it is optional. */
export function isFullyMet(score: number | null): boolean {
  return score !== null && score > MIN_GOOD_SCORE;
}

/** Describes a score change for screen readers, such as `up 33 points` for `45% → 78%`. */
export function scoreChangeText(before: number, after: number): string {
  const points = Math.round(after * 100) - Math.round(before * 100);
  if (points === 0) return 'unchanged';
  const size = Math.abs(points);
  return `${points > 0 ? 'up' : 'down'} ${size} ${size === 1 ? 'point' : 'points'}`;
}

/**
 * Describes a histogram of scores in words, such as `2 below 10%, 3 from 40% to 49%`. Omits empty
 * bars.
 */
export function tenthsText(tenths: readonly number[]): string {
  const parts = tenths.flatMap((count, tenth) => {
    if (count === 0) return [];
    if (tenth === 0) return [`${count} below 10%`];
    return [`${count} from ${tenth * 10}% to ${tenth === 9 ? 100 : tenth * 10 + 9}%`];
  });
  return parts.length === 0 ? 'Nothing scored yet' : parts.join(', ');
}
