const count = new Intl.NumberFormat('en');

/** A count in full, with thousands apart. */
export function countText(value: number): string {
  return count.format(value);
}
