/** Path of the list of pairs of an issue, in any state. */
export function pairsOfIssue(key: string): string {
  return `/console/issues?${new URLSearchParams({ query: key, status: 'all' })}`;
}
