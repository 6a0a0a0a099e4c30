import type { Pair, PairKey } from '@winnow/contract/duplicate';

/** Returns the ids of both issues, by which the API identifies a pair. */
export function pairKeyOf({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): PairKey {
  return { issue1_id: issue1.id, issue2_id: issue2.id };
}
