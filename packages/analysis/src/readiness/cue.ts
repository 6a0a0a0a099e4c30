/** Cues are read in so many characters of a statement: what is longer is no sentence. */
export const READ_OF_STATEMENT = 600;

/** A rule that finds words in a statement, in any case. */
export type Cue = (text: string) => boolean;

/**
 * A cue of whole words (alternatives of a regular expression, parted by `|` or line breaks) and, for scripts without
 * spaces, of runs of letters.
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
