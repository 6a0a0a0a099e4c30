import { PAIRS_COUNTED } from '@winnow/contract/duplicate';
import { countText } from '../../ui/texts/count-text.ts';

/** Formats a similarity from 0 to 1 as a percentage with two decimals. */
export function similarityText(similarity: number): string {
  return `${(similarity * 100).toFixed(2)}%`;
}

/** Formats a minimum similarity for the filters. */
export function thresholdText(threshold: number): string {
  return `${shareText(threshold)} or more`;
}

/** Formats a share from 0 to 1 as a whole percentage. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats a number of pairs. Above the server's counting limit it reads `1,000+`. */
export function pairsText(total: number): string {
  return total > PAIRS_COUNTED ? `${countText(PAIRS_COUNTED)}+` : countText(total);
}
