/** Words that end like an inflected form and are none, or whose stem would meet another word's. */
const KEPT: ReadonlySet<string> = new Set(
  'always axis analysis basis bus bias canvas chaos class during ring string spring thing king bring sing wing ping spaces status this thus virus whereas alias atlas css dns aws ios https was has his its yes gas plus news lens kubernetes series species speed feed need seed embed exceed proceed indeed nothing something anything everything being'.split(
    ' ',
  ),
);

/**
 * Light English stemming: plurals, -ed and -ing, final e and doubled consonants, so that "fails", "failed", "failing"
 * meet; nothing is done to words under four letters, to words with digits or to other scripts. `word` is in lower case.
 * A light stemmer keeps apart what a strong one confuses ("organ", "organization"), which matters for short titles.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || KEPT.has(word)) return word;
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
    if (!word.endsWith(ending) || KEPT.has(word)) continue;
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
