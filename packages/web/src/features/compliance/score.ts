import type { Tone } from '../../theme/tones.ts';

/** Why an issue has the score 0. */
export const NOT_EVALUATED =
  'This issue could not be evaluated and requires manual review. It may be missing key information or be too vague.';

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

/** What 100% means where that is not plain. */
const MEANINGS: Partial<Record<string, string>> = {
  risk_assessment_v1: '100% is a low risk, 0% a high one',
  complexity_v1: '100% is a small change, 0% a large one',
};

/** The same in the room of a column head. */
const SHORT_MEANINGS: Partial<Record<string, string>> = {
  risk_assessment_v1: '100% = low',
  complexity_v1: '100% = small',
};

/** What a high score means, in a few words beside the metric's name; null where more is simply better. */
export function shortMeaningOf(promptId: string | undefined): string | null {
  return promptId === undefined ? null : (SHORT_MEANINGS[promptId] ?? null);
}

/** What full marks by a prompt mean, in words that stand alone; null where more is simply better. */
export function meaningOf(promptId: string | undefined): string | null {
  return promptId === undefined ? null : (MEANINGS[promptId] ?? null);
}

/** Whether a criterion is met so well that what it asks for is no more than a wish. */
export function isWell(score: number | null): boolean {
  return score !== null && score > GOOD;
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
