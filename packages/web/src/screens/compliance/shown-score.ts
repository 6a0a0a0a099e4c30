import type { ComplianceResult } from '@winnow/contract/compliance';
import { NOT_EVALUATED, scoreText, scoreTone } from '../../features/compliance/score.ts';
import type { Tone } from '../../theme/tones.ts';

const NOTHING_TO_IMPROVE = 'This issue meets every criterion already.';
const NOTHING_JUDGED_TO_IMPROVE = 'This issue meets every criterion that could be judged.';

/** Score of an issue: `null` while loading, `failed` if loading failed. */
export type ShownScore = ComplianceResult | null | 'failed';

/** Returns the score as a number from 0 to 1; null if no score is available. */
export function factorOf(score: ShownScore): number | null {
  return score === null || score === 'failed' ? null : score.compliance_factor;
}

/**
 * States how much of the score is based on judged criteria. Null if all criteria were judged, or if
 * no score is available.
 */
export function partText(score: ShownScore): string | null {
  if (score === null || score === 'failed') return null;
  const { judged_share: share, ai_model_id } = score;
  if (share === null || share === 1 || factorOf(score) === 0) return null;
  const basis = `Based on criteria worth ${scoreText(share)} of the score.`;
  return ai_model_id === null ? `${basis} The others need a language model.` : basis;
}

/** Returns the color tone of a score. The score of a partly judged issue has a neutral tone. */
export function toneOf(score: ShownScore): Tone {
  const factor = factorOf(score);
  return factor === null || partText(score) !== null ? 'neutral' : scoreTone(factor);
}

/**
 * Explains in a sentence why an issue cannot be improved. Null if it can be improved, or if no
 * score is available.
 */
export function improveRefusal(score: ShownScore): string | null {
  const factor = factorOf(score);
  if (factor === 0) return NOT_EVALUATED;
  if (factor !== 1) return null;
  return partText(score) === null ? NOTHING_TO_IMPROVE : NOTHING_JUDGED_TO_IMPROVE;
}

/** Returns the number of available scores. */
export function scoredCount(scores: readonly ShownScore[]): number {
  return scores.filter((score) => factorOf(score) !== null).length;
}
