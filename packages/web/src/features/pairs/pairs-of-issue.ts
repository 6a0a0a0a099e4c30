import { ALL_PAIRS, serializeSearch } from './pair-search.ts';

/** Returns the path of the list of pairs of an issue, in any state. */
export function pairsOfIssue(key: string): string {
  return `/console/issues?${serializeSearch({ ...ALL_PAIRS, query: key })}`;
}
