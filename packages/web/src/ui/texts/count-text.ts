const count = new Intl.NumberFormat('en');

/** Formats a count with thousands separators. */
export function countText(value: number): string {
  return count.format(value);
}
