const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** In scripts without spaces so many letters count as a word. */
const LETTERS_OF_WORD = 2;

/** How many different words a text has: saying one again adds nothing. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED) ?? [];
  const spaced = unspaced.length === 0 ? text : text.replace(UNSPACED, ' ');
  const words = new Set(spaced.toLowerCase().match(WORD));
  const letters = Math.min(unspaced.length / LETTERS_OF_WORD, new Set(unspaced).size);
  return words.size + Math.ceil(letters);
}
