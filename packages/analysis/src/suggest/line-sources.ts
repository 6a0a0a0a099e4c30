import type { LineSource } from './merge-texts.ts';

/**
 * Where each line of a text that somebody wrote from two others came from: a line is an issue's when its words stand there in
 * this order, whatever the marks around them. An empty line belongs to the line before it. `new` is what neither says so.
 */
export function lineSources(text: string, first: string, second: string): LineSource[] {
  if (text === '') return [];
  const [one, other] = [wordsOf(first), wordsOf(second)];
  let before: LineSource = 'new';
  return text.split('\n').map((line) => {
    const words = wordsOf(line);
    if (words !== ' ') before = sourceOf(one.includes(words), other.includes(words));
    return before;
  });
}

function sourceOf(inFirst: boolean, inSecond: boolean): LineSource {
  if (inFirst && inSecond) return 'both';
  if (inFirst) return 'issue1';
  return inSecond ? 'issue2' : 'new';
}

/** The words of a text in lower case, each between two spaces; a space alone when there are none. */
function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `.replace(/^ +$/, ' ');
}
