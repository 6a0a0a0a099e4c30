import { PAIRS_COUNTED } from '@winnow/contract/duplicate';

const count = new Intl.NumberFormat('en');

/** A count in full, with thousands apart. */
export function countText(value: number): string {
  return count.format(value);
}

/** How many pairs there are, where the server stops counting: `1,000+` for one more than it counts. */
export function pairsText(total: number): string {
  return total > PAIRS_COUNTED ? `${countText(PAIRS_COUNTED)}+` : countText(total);
}
