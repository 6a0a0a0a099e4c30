const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const full = new Intl.NumberFormat('en');

/** A count for a narrow place: in full below 10,000, then compact. */
export function shortCount(count: number): string {
  return count < 10_000 ? full.format(count) : compact.format(count);
}
