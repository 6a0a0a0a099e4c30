const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu;
const UNSPACED_SCRIPT_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** In scripts without spaces, this number of letters counts as one word. */
const LETTERS_PER_WORD = 2;

/** Returns the number of different words in a text. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED_SCRIPT_LETTERS) ?? [];
  const spaced = unspaced.length === 0 ? text : text.replace(UNSPACED_SCRIPT_LETTERS, ' ');
  const words = new Set(spaced.toLowerCase().match(WORD));
  const letters = Math.min(unspaced.length / LETTERS_PER_WORD, new Set(unspaced).size);
  return words.size + Math.ceil(letters);
}
