/**
 * Maximum characters of a statement that are searched for cue words. A longer text is not a
 * sentence.
 */
export const MAX_CUE_CHARS = 600;

/** Returns true if a statement contains certain words, regardless of case. */
export type Cue = (text: string) => boolean;

/**
 * Creates a cue that detects whole words. `words` are alternatives of a regular expression,
 * separated by `|` or line breaks. `unspaced` contains alternatives for scripts without spaces.
 */
export function cue(words: string, unspaced = ''): Cue {
  const alternatives = words
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('|');
  const latin = `(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`;
  const pattern = new RegExp(unspaced === '' ? latin : `${latin}|${unspaced}`, 'iu');
  return (text) => pattern.test(text);
}
