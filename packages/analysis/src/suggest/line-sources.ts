import type { LineSource } from './merge-texts.ts';

/**
 * Returns the origin of each line of a text that a user wrote from two others. A line belongs to an
 * issue that contains its words in this order, whatever the punctuation. An empty line belongs to
 * the line before it. `new` means neither issue.
 */
export function lineSources(text: string, first: string, second: string): LineSource[] {
  if (text === '') return [];
  const [one, other] = [spacedWords(first), spacedWords(second)];
  let before: LineSource = 'new';
  return text.split('\n').map((line) => {
    const words = spacedWords(line);
    if (words !== ' ') before = sourceOf(one.includes(words), other.includes(words));
    return before;
  });
}

function sourceOf(inFirst: boolean, inSecond: boolean): LineSource {
  if (inFirst && inSecond) return 'both';
  if (inFirst) return 'issue1';
  return inSecond ? 'issue2' : 'new';
}

/**
 * Returns the words of a text in lower case, each between two spaces; a single space if there are
 * none.
 */
function spacedWords(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `.replace(/^ +$/, ' ');
}
