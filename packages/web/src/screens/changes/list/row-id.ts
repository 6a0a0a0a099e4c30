/** The id of a row's element, by which the keyboard finds it. */
export function changeRowId(changeId: string): string {
  return `change-${changeId}`;
}
