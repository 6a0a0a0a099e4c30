import type { Pair, PairKey } from '@winnow/contract/duplicate';

/** The names by which the server knows a pair. */
export function pairKeyOf({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): PairKey {
  return { issue1_id: issue1.id, issue2_id: issue2.id };
}
