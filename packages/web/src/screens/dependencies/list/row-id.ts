/** The id of a row's element, by which the keyboard finds it. */
export function issueRowId(issueId: string): string {
  return `issue-${issueId}`;
}
