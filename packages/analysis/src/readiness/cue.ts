/** Maximum characters of a statement that cues read. Longer text is not a sentence. */
export const MAX_CUE_CHARS = 600;

/** Detects words in a statement, ignoring case. */
export type Cue = (text: string) => boolean;

/**
 * Creates a cue from whole words: alternatives of a regular expression, separated by `|` or line
 * breaks. `unspaced` contains alternatives for scripts without spaces.
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
