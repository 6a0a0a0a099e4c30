import type { Issue } from '@winnow/contract/issue';

/** Texts of an issue that a change may edit. */
export type IssueTexts = Pick<Issue, 'title' | 'description'>;
/** Fields of the suggested texts that the user edited. */
export type TypedTexts = Partial<IssueTexts>;

/**
 * Applies an edit to one field. If the new text equals the suggestion, the field counts as
 * unedited.
 */
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

/** Converts line breaks to `\n`, as text fields do. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/**
 * True if two texts are equal apart from the format of line breaks, which text fields normalize.
 */
export function isSameText(one: string, other: string): boolean {
  return plainLines(one) === plainLines(other);
}
