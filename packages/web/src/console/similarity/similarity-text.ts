import { PAIRS_COUNTED } from '@winnow/contract/duplicate';

/** A similarity from 0 to 1 as a percentage with two decimals. */
export function similarityText(similarity: number): string {
  return `${(similarity * 100).toFixed(2)}%`;
}

/** A share from 0 to 1 as a whole percentage. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)}%`;
}

const count = new Intl.NumberFormat('en');

/** A count in full, with thousands apart. */
export function countText(value: number): string {
  return count.format(value);
}

/** How many pairs there are, where the server stops counting: `1,000+` for one more than it counts. */
export function pairsText(total: number): string {
  return total > PAIRS_COUNTED ? `${countText(PAIRS_COUNTED)}+` : countText(total);
}
