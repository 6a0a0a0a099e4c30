import { parseText } from './blocks.ts';

/**
 * Appends a paragraph to a Markdown text. Open blocks of the text, such as code fences, are closed
 * first.
 */
export function appendParagraph(text: string, paragraph: string): string {
  if (text.trim() === '') return paragraph;
  const openEnd = parseText(text).sections.at(-1)?.blocks.at(-1)?.openEnd ?? null;
  const closed = openEnd === null ? text.trimEnd() : `${text.trimEnd()}\n${openEnd}`;
  return `${closed}\n\n${paragraph}`;
}
