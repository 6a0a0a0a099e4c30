import type { ResolutionChoice } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';

/** Choice to close the older (a) or the newer (b) issue of a pair. */
export type CloseChoice = Extract<ResolutionChoice, 'close_a' | 'close_b'>;

/**
 * Suggests which issue to close: the newer one, or the older if the newer is closed; null if both
 * are.
 */
export function suggestedClose({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): CloseChoice | null {
  if (issue2.state === 'opened') return 'close_b';
  return issue1.state === 'opened' ? 'close_a' : null;
}
