/** Maximum characters of a text in which common words are counted, in UTF-16 code units. */
const LANGUAGE_SAMPLE_CHARS = 4000;
/** Minimum words of a text whose language is checked. A shorter text counts as supported. */
const MIN_DETECTABLE_WORDS = 12;
/** Minimum share of common words in a text of a supported language. */
const MIN_COMMON_WORD_SHARE = 0.08;
const COMMON_WORDS = new Set(
  `the a an and or of to in on is are be for with not it this that we i you when from at by as if no can should does do has have
  der die das und oder ein eine nicht ist sind mit für von zu den dem im auf wenn wird werden es soll kann
  le la les des un une et ou est sont pas avec pour dans sur que qui ce ne il se en du de
  el los las una y o es son no con para por que en se al del un`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * True if a text seems to be in English, German, French, Spanish or Japanese. Also true for very
 * short texts.
 */
export function isWordingKnown(text: string): boolean {
  const read = text.slice(0, LANGUAGE_SAMPLE_CHARS);
  const letters = read.match(/\p{L}/gu)?.length ?? 0;
  const japanese = read.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (japanese * 10 > letters) return true;
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return false;
  const words = read.toLowerCase().match(/\p{L}+/gu) ?? [];
  const common = words.filter((word) => COMMON_WORDS.has(word)).length;
  return words.length < MIN_DETECTABLE_WORDS || common >= words.length * MIN_COMMON_WORD_SHARE;
}
