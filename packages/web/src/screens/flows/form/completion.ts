import { TEMPLATE_VARIABLES, type TemplateVariable } from '@winnow/contract/flow';

const NAMES = Object.keys(TEMPLATE_VARIABLES) as TemplateVariable[];

/** A name that is being typed after two braces. */
export interface OpenName {
  /** Where the braces begin. */
  from: number;
  names: readonly TemplateVariable[];
}

/** The names that fit what is typed before the caret; null when no name is being typed there. */
export function openNameAt(text: string, caret: number): OpenName | null {
  const match = /\{\{[ \t]*([a-z._]*)$/i.exec(text.slice(0, caret));
  if (match === null) return null;
  const typed = (match[1] ?? '').toLowerCase();
  const names = NAMES.filter((name) => name.includes(typed));
  return names.length === 0 ? null : { from: match.index, names };
}

/** The text with the name put in where it was being typed, and where the caret stands then. */
export function completed(
  text: string,
  caret: number,
  { from }: OpenName,
  name: TemplateVariable,
): { text: string; caret: number } {
  const rest = text.slice(caret).replace(/^[a-z._]*[ \t]*\}\}/i, '');
  const before = `${text.slice(0, from)}{{${name}}}`;
  return { text: before + rest, caret: before.length };
}
