/** Where an issue's similar ones are listed, whatever their state. */
export function pairsOfIssue(key: string): string {
  return `/console/issues?${new URLSearchParams({ query: key, status: 'all' })}`;
}
