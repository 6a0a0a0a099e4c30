import { remove as toLatin } from 'confusables';

const INVISIBLE = /[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Letters of the Russian keyboard layout. `LATIN_KEYS` contains the Latin letters on the same keys,
 * in the same order.
 */
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё';
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";

/**
 * Maps characters that look alike, or that people substitute for each other, to one letter. For
 * example, `1`, `i`, `l`, `!` and `|` all become `i`.
 */
const SKELETON: Readonly<Record<string, string>> = {
  ...{ '1': 'i', l: 'i', '!': 'i', '|': 'i', '0': 'o' },
  ...{ '4': 'a', '@': 'a', '8': 'b', '(': 'c', '3': 'e', '6': 'g', '9': 'g' },
  ...{ '5': 's', $: 's', '7': 't', '+': 't', '2': 'z' },
};

/** Removes compatibility forms, accents and invisible characters. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(INVISIBLE, '');
}

/**
 * Replaces letters of other alphabets, and characters that look like Latin letters, with those
 * Latin letters.
 */
export function latinized(text: string): string {
  return toLatin(folded(text));
}

/**
 * Returns the texts that the user may have meant by a password, without duplicates. These are the
 * password itself, the password with look-alike letters replaced, and the password typed on a
 * Russian keyboard. The strength estimator handles digits in place of letters.
 */
export function readingsOf(password: string): string[] {
  const latin = latinized(password);
  const merged = withMergedLetters(latin);
  return [
    ...new Set([
      folded(password),
      latin,
      merged.replaceAll('I', 'l'),
      merged.replace(/l/gi, 'i'),
      merged.replace(/i/gi, 'l'),
      onLatinKeys(password),
    ]),
  ];
}

/** A typed letter or digit, and the letter that replaces it in comparisons. */
export interface SkeletonSign {
  readonly typed: string;
  readonly compared: string;
}

/**
 * Returns the letters and digits of a text, each with the letter that replaces it in comparisons.
 */
export function skeletonOf(text: string): SkeletonSign[] {
  return [...withMergedLetters(latinized(text)).toLowerCase()]
    .map((typed) => ({ typed, compared: SKELETON[typed] ?? typed }))
    .filter(({ compared }) => /[\p{L}\p{N}]/u.test(compared));
}

/** Replaces pairs of letters that together look like one letter. */
function withMergedLetters(text: string): string {
  return text.replace(/vv/gi, 'w').replace(/rn/gi, 'm');
}

/** Replaces Russian letters with the Latin letters on the same keys. */
function onLatinKeys(text: string): string {
  const keys = [...text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()];
  return keys.map((key) => LATIN_KEYS[RUSSIAN_KEYS.indexOf(key)] ?? key).join('');
}
