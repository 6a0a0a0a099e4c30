import { TEMPLATE_VARIABLES, type TemplateVariable } from '@winnow/contract/flow';

const TEMPLATE_VARIABLE_NAMES = Object.keys(TEMPLATE_VARIABLES) as TemplateVariable[];

/** A variable name being typed after two braces. */
export interface OpenName {
  /** Offset of the braces. */
  from: number;
  names: readonly TemplateVariable[];
}

/**
 * Returns the variables that match the text before the caret; null if no variable is being typed.
 */
export function openNameAt(text: string, caret: number): OpenName | null {
  const match = /\{\{[ \t]*([a-z._]*)$/i.exec(text.slice(0, caret));
  if (match === null) return null;
  const typed = (match[1] ?? '').toLowerCase();
  const names = TEMPLATE_VARIABLE_NAMES.filter((name) => name.includes(typed));
  return names.length === 0 ? null : { from: match.index, names };
}

/** Inserts a variable name and returns the new text and caret position. */
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
