import type { Tone } from '../../app/theme/tones.ts';

/** Why an issue has the score 0. */
export const NOT_EVALUATED =
  'This issue could not be evaluated and requires manual review. It may be missing key information or be too vague.';
const NOTHING_TO_IMPROVE = 'This issue meets every criterion already.';

/** Confidence and scores share their colors: above this a score is good, or at least fair. */
const GOOD = 0.8;
const FAIR = 0.5;

/** A score from 0 to 1 as a whole percentage. What is not quite everything never reads 100%, and what is something never 0%. */
export function scoreText(score: number): string {
  if (score > 0 && score < 1) return `${Math.min(99, Math.max(1, Math.round(score * 100)))}%`;
  return `${Math.round(score * 100)}%`;
}

/** The color that goes with a score. Never alone: the number stands beside it. */
export function scoreTone(score: number): Extract<Tone, 'success' | 'warning' | 'danger'> {
  if (score > GOOD) return 'success';
  return score > FAIR ? 'warning' : 'danger';
}

/** Why there is nothing to improve in an issue of this score, in a sentence; null when there is, or while it is not known. */
export function improveRefusal(score: number | null | undefined): string | null {
  if (score === 0) return NOT_EVALUATED;
  return score === 1 ? NOTHING_TO_IMPROVE : null;
}

/** `up 33 points`, for a screen reader beside `45% → 78%`. */
export function moveText(before: number, after: number): string {
  const points = Math.round(after * 100) - Math.round(before * 100);
  if (points === 0) return 'unchanged';
  const size = Math.abs(points);
  return `${points > 0 ? 'up' : 'down'} ${size} ${size === 1 ? 'point' : 'points'}`;
}

/** How many issues are in which tenth, in words: `2 below 10%, 3 from 40% to 49%`. Tenths without any are left out. */
export function tenthsText(tenths: readonly number[]): string {
  const said = tenths.flatMap((count, tenth) => {
    if (count === 0) return [];
    if (tenth === 0) return [`${count} below 10%`];
    return [`${count} from ${tenth * 10}% to ${tenth === 9 ? 100 : tenth * 10 + 9}%`];
  });
  return said.length === 0 ? 'Nothing scored yet' : said.join(', ');
}
