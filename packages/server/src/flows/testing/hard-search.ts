/** An expression that takes long to look for in {@link hardText}: about as long as one can. */
export const HARD_EXPRESSION = `a${'[ab]'.repeat(120)}c`;

/** As long a description as a tracker takes, of two letters in no order. */
export function hardText(): string {
  let seed = 7;
  const letter = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed < 0x40000000 ? 'a' : 'b';
  };
  return Array.from({ length: 65_000 }, letter).join('');
}
