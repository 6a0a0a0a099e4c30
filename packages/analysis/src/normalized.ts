/**
 * More combining marks in a row than any writing system uses. Normalizing sorts them, which takes
 * quadratic time.
 */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Normalizes a text like `String.normalize`, but in linear time: runs of combining marks are cut to
 * 30.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(EXCESS_MARKS, '$1').normalize(form);
}
