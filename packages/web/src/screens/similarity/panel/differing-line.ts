/** Minimum number of equal lines in two texts. With fewer, the texts have too little in common. */
const MIN_SHARED_LINES = 2;

/**
 * Returns the only line in which two texts differ, as it is in each text. For a text that lacks the
 * line, returns an empty line. Null if the texts are equal, differ in several lines, or have too
 * few equal lines. Ignores blank lines, and spaces around lines.
 */
export function differingLine(one: string, other: string): [string, string] | null {
  const [first, second] = [linesOf(one), linesOf(other)];
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  const left = [first, second].map((lines) => lines.slice(start, lines.length - end));
  const [lineOfOne = [], lineOfOther = []] = left;
  const differ = lineOfOne.length + lineOfOther.length > 0;
  const areSingle = lineOfOne.length <= 1 && lineOfOther.length <= 1;
  if (!differ || !areSingle || start + end < MIN_SHARED_LINES) return null;
  return [lineOfOne[0] ?? '', lineOfOther[0] ?? ''];
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
