/** Words with a misleading ending, and words whose stem would equal another word. */
const UNSTEMMED: ReadonlySet<string> = new Set(
  'always axis analysis basis bus bias canvas chaos class during ring string spring thing king bring sing wing ping spaces status this thus virus whereas alias atlas css dns aws ios https was has his its yes gas plus news lens kubernetes series species speed feed need seed embed exceed proceed indeed nothing something anything everything being'.split(
    ' ',
  ),
);

/**
 * Stems English words lightly, so that "fails", "failed" and "failing" match. Removes plurals, -ed,
 * -ing, a final e, and doubled consonants. Returns words under four letters, words with digits, and
 * other scripts unchanged. `word` must be in lower case.
 *
 * A stronger stemmer would give "organ" and "organization" the same stem. In short titles, this
 * would be harmful.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || UNSTEMMED.has(word)) return word;
  return withoutFinalE(withoutEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutEnding(word: string): string {
  for (const ending of ['ing', 'ed']) {
    if (!word.endsWith(ending) || UNSTEMMED.has(word)) continue;
    const rest = word.slice(0, -ending.length);
    if (rest.length < 3 || !/[aeiouy]/.test(rest)) return word;
    const last = rest.at(-1) ?? '';
    const isDoubled = last === rest.at(-2) && !'lsz'.includes(last);
    return isDoubled ? rest.slice(0, -1) : rest;
  }
  return word;
}

function withoutFinalE(word: string): string {
  return word.length > 4 && word.endsWith('e') && !word.endsWith('ee') ? word.slice(0, -1) : word;
}
