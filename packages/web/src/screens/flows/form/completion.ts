import { TEMPLATE_VARIABLES, type TemplateVariable } from '@winnow/contract/flow';

const TEMPLATE_VARIABLE_NAMES = Object.keys(TEMPLATE_VARIABLES) as TemplateVariable[];

/** A variable name that the user is typing after two braces, with matching variables. */
export interface OpenName {
  /** Offset of the two braces in the text. */
  from: number;
  names: readonly TemplateVariable[];
}

/**
 * Returns the variables that match the name before the caret. Null if the user is not typing a
 * variable name, or if none matches.
 */
export function openNameAt(text: string, caret: number): OpenName | null {
  const match = /\{\{[ \t]*([a-z._]*)$/i.exec(text.slice(0, caret));
  if (match === null) return null;
  const typed = (match[1] ?? '').toLowerCase();
  const names = TEMPLATE_VARIABLE_NAMES.filter((name) => name.includes(typed));
  return names.length === 0 ? null : { from: match.index, names };
}

/**
 * Replaces the typed name with the name of a variable. Returns the new text and the caret position.
 */
export function completeName(
  text: string,
  caret: number,
  { from }: OpenName,
  name: TemplateVariable,
): { text: string; caret: number } {
  const rest = text.slice(caret).replace(/^[a-z._]*[ \t]*\}\}/i, '');
  const before = `${text.slice(0, from)}{{${name}}}`;
  return { text: before + rest, caret: before.length };
}
