import { PAIRS_COUNTED } from '@winnow/contract/duplicate';
import { countText } from '../../ui/texts/count-text.ts';

/** A similarity from 0 to 1 as a percentage with two decimals. */
export function similarityText(similarity: number): string {
  return `${(similarity * 100).toFixed(2)}%`;
}

/** A minimum similarity, as filters show it. */
export function thresholdText(threshold: number): string {
  return `${shareText(threshold)} or more`;
}

/** A share from 0 to 1 as a whole percentage. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** How many pairs there are, where the server stops counting: `1,000+` for one more than it counts. */
export function pairsText(total: number): string {
  return total > PAIRS_COUNTED ? `${countText(PAIRS_COUNTED)}+` : countText(total);
}
