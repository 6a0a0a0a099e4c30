import type { ResolutionChoice } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';

/** The two ways to close a pair: its older issue, or its newer one. */
export type CloseChoice = Extract<ResolutionChoice, 'close_a' | 'close_b'>;

/** Which issue to offer for closing first: the newer one, or the older one when that is closed; null when both are. */
export function suggestedClose({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): CloseChoice | null {
  if (issue2.state === 'opened') return 'close_b';
  return issue1.state === 'opened' ? 'close_a' : null;
}
