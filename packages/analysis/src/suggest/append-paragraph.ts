import { parseText } from './blocks.ts';

/** A text (Markdown) with a paragraph at its end. What the text leaves open is closed first, so that it can be read. */
export function appendParagraph(text: string, paragraph: string): string {
  if (text.trim() === '') return paragraph;
  const openEnd = parseText(text).sections.at(-1)?.blocks.at(-1)?.openEnd ?? null;
  const closed = openEnd === null ? text.trimEnd() : `${text.trimEnd()}\n${openEnd}`;
  return `${closed}\n\n${paragraph}`;
}
