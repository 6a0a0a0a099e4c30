import type { StateOfOlder } from './likelihood.ts';

/**
 * Penalties of a closed candidate and of ln(1 + days since it was closed), in units of similarity.
 * Fitted on issues of rust-lang/rust created up to 2012: recall at rank 1 rises from 0.39 to 0.50
 * there, and from 0.37 to 0.42 on those of 2013 (docs/decisions/0040).
 */
const [CLOSED_PENALTY, LOG_DAYS_PENALTY] = [0.03, 0.03];

/**
 * Returns the similarity used to rank candidates: open issues have more duplicates than those
 * closed long ago.
 */
export function stateAware(similarity: number, { closed, logDaysSinceClosing }: StateOfOlder): number {
  return similarity - CLOSED_PENALTY * closed - LOG_DAYS_PENALTY * logDaysSinceClosing;
}
