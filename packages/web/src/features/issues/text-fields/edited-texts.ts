import type { Issue } from '@winnow/contract/issue';

/** The texts of an issue that a change may write. */
export type IssueTexts = Pick<Issue, 'title' | 'description'>;
/** What somebody typed in the place of what was suggested; what was left alone is not in it. */
export type TypedTexts = Partial<IssueTexts>;

/** What was typed, after a field changed; a field that says what was suggested counts as left alone. */
export function withTyped<Texts extends Record<string, string>>(
  typed: Partial<Texts>,
  suggested: Texts,
  field: keyof Texts,
  text: string,
): Partial<Texts> {
  const changed = { ...typed, [field]: text };
  if (text === suggested[field]) delete changed[field];
  return changed;
}

/** Line breaks as a text field writes them. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Whether two texts are the same: a text field writes line breaks in one way, whatever the tracker does. */
export function isSameText(one: string, other: string): boolean {
  return plainLines(one) === plainLines(other);
}
