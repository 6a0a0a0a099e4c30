/**
 * Matches combining marks after the first 30 in a row; no writing system uses so many.
 * Normalization sorts the marks, which takes quadratic time.
 */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Normalizes a text like `String.normalize`, but in linear time. Shortens runs of combining marks
 * to 30.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(EXCESS_MARKS, '$1').normalize(form);
}
