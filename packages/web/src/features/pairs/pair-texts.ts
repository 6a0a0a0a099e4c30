import { PAIRS_COUNTED } from '@winnow/contract/duplicate';
import { countText } from '../../ui/texts/count-text.ts';

/** Formats a similarity from 0 to 1 as a percentage with two decimals. */
export function similarityText(similarity: number): string {
  return `${(similarity * 100).toFixed(2)}%`;
}

/** Formats a share from 0 to 1 for a filter, such as `80% or more`. */
export function thresholdText(threshold: number): string {
  return `${shareText(threshold)} or more`;
}

/**
 * Formats a probability as a whole percentage from 1% to 99%. It never reads 0% or 100%, since no
 * prediction is certain.
 */
export function probabilityText(probability: number): string {
  return shareText(Math.min(0.99, Math.max(0.01, probability)));
}

/**
 * Formats a minimum probability for a filter, such as `80% or more`. A probability of 0 reads
 * `Any`.
 */
export function markText(probability: number): string {
  return probability === 0 ? 'Any' : thresholdText(probability);
}

/**
 * Labels of the actions that dismiss and restore a pair. If the pair belongs to a series, the
 * actions apply to the whole series.
 */
export const DISMISSAL_LABELS = {
  pair: { dismiss: 'Dismiss', restore: 'Restore' },
  series: { dismiss: 'Dismiss the series', restore: 'Restore the series' },
} as const;

/** Describes the pairs in the queue, given the minimum probability. */
export function queueText(mark: number): string {
  return `Unresolved pairs with a probability of ${thresholdText(mark)}: both issues are open, or an open one repeats a closed one`;
}

/** Formats a share from 0 to 1 as a whole percentage. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats a number of pairs. A number above the server's counting limit reads `1,000+`. */
export function pairsText(total: number): string {
  return total > PAIRS_COUNTED ? `${countText(PAIRS_COUNTED)}+` : countText(total);
}
