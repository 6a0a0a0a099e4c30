import type { LineSource } from './merge-texts.ts';

/**
 * Returns the origin of each line of a text that a user wrote from two issues. A line comes from an
 * issue if its words occur there in the same order. Punctuation is ignored. An empty line has the
 * origin of the previous line. `new` means that no issue contains the line.
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
 * Returns the words of a text in lower case, with a space before and after each word. Returns a
 * single space if there are no words.
 */
function spacedWords(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `.replace(/^ +$/, ' ');
}
