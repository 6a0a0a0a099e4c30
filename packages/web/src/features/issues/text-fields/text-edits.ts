import type { Issue } from '@winnow/contract/issue';

/** Texts of an issue that a change may edit. */
export type IssueTexts = Pick<Issue, 'title' | 'description'>;
/** The user's edits of suggested texts, without unedited fields. */
export type TypedTexts = Partial<IssueTexts>;

/** Applies an edit of a field. A field equal to the suggestion counts as unedited. */
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

/** Normalizes line breaks to those of a text field. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** True if two texts are equal apart from line breaks, which text fields normalize. */
export function isSameText(one: string, other: string): boolean {
  return plainLines(one) === plainLines(other);
}
