import type { ResolutionChoice } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';

/** Choice of the issue to close: the older (`close_a`) or the newer issue (`close_b`) of a pair. */
export type CloseChoice = Extract<ResolutionChoice, 'close_a' | 'close_b'>;

/**
 * Suggests which issue of a pair to close. This is the newer issue, or the older one if the newer
 * is already closed. Null if both are closed.
 */
export function suggestedClose({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): CloseChoice | null {
  if (issue2.state === 'opened') return 'close_b';
  return issue1.state === 'opened' ? 'close_a' : null;
}
