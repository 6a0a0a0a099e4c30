import type { ComplianceResult } from '@winnow/contract/compliance';
import { NOT_EVALUATED, scoreText, scoreTone } from '../../features/compliance/score.ts';
import type { Tone } from '../../theme/tones.ts';

const NOTHING_TO_IMPROVE = 'This issue meets every criterion already.';
const NOTHING_JUDGED_TO_IMPROVE = 'This issue meets every criterion that could be judged.';

/** Score of an issue: `null` while loading, `failed` if loading failed. */
export type ShownScore = ComplianceResult | null | 'failed';

/** Returns the score from 0 to 1; null if there is none yet. */
export function factorOf(score: ShownScore): number | null {
  return score === null || score === 'failed' ? null : score.compliance_factor;
}

/** States what share of the criteria was judged; null if all were, or without a score. */
export function partText(score: ShownScore): string | null {
  if (score === null || score === 'failed') return null;
  const { judged_share: share, ai_model_id } = score;
  if (share === null || share === 1 || factorOf(score) === 0) return null;
  const basis = `Based on criteria worth ${scoreText(share)} of the score.`;
  return ai_model_id === null ? `${basis} The others need a language model.` : basis;
}

/** Returns the tone of a score. Partial scores are neutral. */
export function toneOf(score: ShownScore): Tone {
  const factor = factorOf(score);
  return factor === null || partText(score) !== null ? 'neutral' : scoreTone(factor);
}

/**
 * Returns the reason why an issue cannot be improved, as a sentence; null if it can be, or without
 * a score.
 */
export function improveRefusal(score: ShownScore): string | null {
  const factor = factorOf(score);
  if (factor === 0) return NOT_EVALUATED;
  if (factor !== 1) return null;
  return partText(score) === null ? NOTHING_TO_IMPROVE : NOTHING_JUDGED_TO_IMPROVE;
}

/** Counts the scores that are known. */
export function scoredCount(scores: readonly ShownScore[]): number {
  return scores.filter((score) => factorOf(score) !== null).length;
}
