import { ALL_PAIRS, serializeSearch } from './pair-search.ts';

/**
 * Returns the path of the similarity screen, listing all pairs of an issue. Includes closed issues
 * and resolved pairs.
 */
export function pairsOfIssue(key: string): string {
  return `/console/issues?${serializeSearch({ ...ALL_PAIRS, query: key })}`;
}
