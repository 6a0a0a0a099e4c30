/** An expression whose search on {@link hardText} is nearly the slowest possible. */
export const HARD_EXPRESSION = `a${'[ab]'.repeat(120)}c`;

/**
 * Returns a text of nearly the maximum length that trackers allow. It consists of two letters in
 * random order.
 */
export function hardText(): string {
  let seed = 7;
  const letter = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed < 0x40000000 ? 'a' : 'b';
  };
  return Array.from({ length: 65_000 }, letter).join('');
}
