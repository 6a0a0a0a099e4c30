import type { ComplianceResult } from '@winnow/contract/compliance';
import { NOT_EVALUATED, scoreText, scoreTone } from '../../features/compliance/score.ts';
import type { Tone } from '../../theme/tones.ts';

const NOTHING_TO_IMPROVE = 'This issue meets every criterion already.';
const NOTHING_JUDGED_TO_IMPROVE = 'This issue meets every criterion that could be judged.';

/** How an issue stands: `null` while that is on its way, `failed` when it could not be had. */
export type ShownScore = ComplianceResult | null | 'failed';

/** The score, as far as there is one. */
export function factorOf(score: ShownScore): number | null {
  return score === null || score === 'failed' ? null : score.compliance_factor;
}

/** That only a part was judged, in a sentence; null where all was, and while there is no score. */
export function partText(score: ShownScore): string | null {
  if (score === null || score === 'failed') return null;
  const { judged_share: share, ai_model_id } = score;
  if (share === null || share === 1 || factorOf(score) === 0) return null;
  const said = `Based on criteria worth ${scoreText(share)} of the score.`;
  return ai_model_id === null ? `${said} The others need a language model.` : said;
}

/** The color that goes with a score: none is given to what only a part was judged of. */
export function toneOf(score: ShownScore): Tone {
  const factor = factorOf(score);
  return factor === null || partText(score) !== null ? 'neutral' : scoreTone(factor);
}

/** Why there is nothing to improve, in a sentence; null when there is, or while it is not known. */
export function improveRefusal(score: ShownScore): string | null {
  const factor = factorOf(score);
  if (factor === 0) return NOT_EVALUATED;
  if (factor !== 1) return null;
  return partText(score) === null ? NOTHING_TO_IMPROVE : NOTHING_JUDGED_TO_IMPROVE;
}

/** How many of these issues have a score. */
export function scoredCount(scores: readonly ShownScore[]): number {
  return scores.filter((score) => factorOf(score) !== null).length;
}
