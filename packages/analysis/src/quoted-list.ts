const MAX_QUOTED_WORDS = 4;

/** Returns at most four words in quotation marks, as a list such as: “a”, “b” and “c”. */
export function quotedList(words: readonly string[]): string {
  const quoted = words.slice(0, MAX_QUOTED_WORDS).map((word) => `“${word}”`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}
