import type { Tone } from '../../theme/tones.ts';

/** Explanation of a score of 0. */
export const NOT_EVALUATED =
  'This issue could not be evaluated and requires manual review. It may be missing key information or be too vague.';

/**
 * Confidence and scores share these thresholds: above 0.8 is green, above 0.5 amber, otherwise red.
 */
const MIN_GOOD_SCORE = 0.8;
const MIN_FAIR_SCORE = 0.5;

/** Formats a score from 0 to 1 as a whole percentage. Only exact 0 and 1 read 0% and 100%. */
export function scoreText(score: number): string {
  if (score > 0 && score < 1) return `${Math.min(99, Math.max(1, Math.round(score * 100)))}%`;
  return `${Math.round(score * 100)}%`;
}

/** Returns the color tone of a score. Always displayed together with the number. */
export function scoreTone(score: number): Extract<Tone, 'success' | 'warning' | 'danger'> {
  if (score > MIN_GOOD_SCORE) return 'success';
  return score > MIN_FAIR_SCORE ? 'warning' : 'danger';
}

/** Meanings of 100% for prompts where it is not obvious. */
const MEANINGS: Partial<Record<string, string>> = {
  risk_assessment_v1: '100% is a low risk, 0% a high one',
  complexity_v1: '100% is a small change, 0% a large one',
};

/** Short meanings of 100%, for column headings. */
const SHORT_MEANINGS: Partial<Record<string, string>> = {
  risk_assessment_v1: '100% = low',
  complexity_v1: '100% = small',
};

/** Returns a short meaning of 100% for a column heading; null if higher is simply better. */
export function shortMeaningOf(promptId: string | undefined): string | null {
  return promptId === undefined ? null : (SHORT_MEANINGS[promptId] ?? null);
}

/** Returns the meaning of 100% as a standalone phrase; null if higher is simply better. */
export function meaningOf(promptId: string | undefined): string | null {
  return promptId === undefined ? null : (MEANINGS[promptId] ?? null);
}

/** True if a criterion is met so well that its suggestion is optional. */
export function isFullyMet(score: number | null): boolean {
  return score !== null && score > MIN_GOOD_SCORE;
}

/** Returns the score change for screen readers, such as `up 33 points` for `45% → 78%`. */
export function scoreChangeText(before: number, after: number): string {
  const points = Math.round(after * 100) - Math.round(before * 100);
  if (points === 0) return 'unchanged';
  const size = Math.abs(points);
  return `${points > 0 ? 'up' : 'down'} ${size} ${size === 1 ? 'point' : 'points'}`;
}

/** Describes a histogram in words, such as `2 below 10%, 3 from 40% to 49%`. Omits empty bars. */
export function tenthsText(tenths: readonly number[]): string {
  const parts = tenths.flatMap((count, tenth) => {
    if (count === 0) return [];
    if (tenth === 0) return [`${count} below 10%`];
    return [`${count} from ${tenth * 10}% to ${tenth === 9 ? 100 : tenth * 10 + 9}%`];
  });
  return parts.length === 0 ? 'Nothing scored yet' : parts.join(', ');
}
