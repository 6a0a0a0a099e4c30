import type { StateOfOlder } from './likelihood.ts';

/**
 * Reductions of the similarity: for a closed candidate, and per unit of ln(1 + days since it was
 * closed). Fitted on issues of rust-lang/rust created up to 2012. There, recall at rank 1 rises
 * from 0.39 to 0.50. On issues of 2013 it rises from 0.37 to 0.42 (docs/decisions/0040).
 */
const [CLOSED_PENALTY, LOG_DAYS_PENALTY] = [0.03, 0.03];

/**
 * Returns the similarity by which candidates are ranked. Closed issues rank lower, because fewer
 * duplicates refer to them.
 */
export function stateAware(similarity: number, { closed, logDaysSinceClosing }: StateOfOlder): number {
  return similarity - CLOSED_PENALTY * closed - LOG_DAYS_PENALTY * logDaysSinceClosing;
}
