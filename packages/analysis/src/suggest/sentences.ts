/**
 * Minimum length of a line that may have been wrapped. The author ended a shorter line on purpose.
 */
export const MIN_WRAPPED_LINE_CHARS = 60;
const LINE_ENDS = /[.!?:;。！？…)\]`*_]\s*$/u;
const SENTENCE_ENDS = /[.!?]{1,10}["'”’)\]*_]{0,4}\s|[。！？]+/gu;
const OPENS_SENTENCE = /[\p{Lu}\p{Lo}\p{N}"'“‘(`*_[]/u;
const ENDS_WITH_ABBREVIATION =
  /(?:^|[\s("'[])(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|fig|resp|incl|mr|mrs|dr|st|\p{L})\.\s?$/iu;

/** Matches the mark of a list item, such as `-` or `1.`. */
export const ITEM_MARK = /^\s*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;

/**
 * Groups lines. A sentence may continue from one line of a group to the next. A paragraph with
 * wrapped lines is one group. Otherwise each line is a group.
 */
export function runsOf(lines: readonly string[]): string[][] {
  const isWrapped = lines
    .slice(0, -1)
    .some((line) => line.length >= MIN_WRAPPED_LINE_CHARS && !LINE_ENDS.test(line));
  return isWrapped ? [[...lines]] : lines.map((line) => [line]);
}

/**
 * Returns the top-level items of a list, each with all lines under it. Empty lines belong to the
 * previous item.
 */
export function itemsOf(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (last === undefined || (/^ ?\S/.test(line) && ITEM_MARK.test(line))) items.push([line]);
    else last.push(line);
  }
  return items;
}

/**
 * Returns the start of each sentence except the first. Ignores sentence ends inside code or
 * brackets.
 */
export function sentenceStarts(text: string): number[] {
  const starts: number[] = [];
  let from = 0;
  let read = 0;
  let [ticks, open] = [0, 0];
  for (const match of text.matchAll(SENTENCE_ENDS)) {
    const end = match.index + match[0].length;
    for (; read < end; read += 1) {
      const character = text[read] ?? '';
      if (character === '`') ticks += 1;
      else if (character === '(' || character === '[') open += 1;
      else if (character === ')' || character === ']') open = Math.max(0, open - 1);
    }
    if (ticks % 2 === 1 || open > 0) continue;
    if (!OPENS_SENTENCE.test(text.slice(end, end + 2).trimStart())) continue;
    if (ENDS_WITH_ABBREVIATION.test(text.slice(Math.max(from, end - 12), end))) continue;
    starts.push(end);
    from = end;
  }
  return starts;
}
