/** A term that occurs in no text. Its weight is that of an unknown word. */
export const UNSEEN_TERM = '\u0000';

/**
 * Hashes a term to 53 bits, so that an index needs no strings. With a million terms, the
 * probability of a collision is about one in twenty thousand. A collision only makes two terms
 * share a weight.
 *
 * Combines two multiplicative hashes over the UTF-16 code units with a final mix, after FNV-1a and
 * the finalizer of MurmurHash3.
 */
export function hashTerm(term: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < term.length; at += 1) {
    const unit = term.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  low = mix(low ^ (high >>> 15));
  high = mix(high ^ low);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
