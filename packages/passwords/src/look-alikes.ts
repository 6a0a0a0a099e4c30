import { remove as toLatin } from 'confusables';

const INVISIBLE = /[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Keys of a Russian keyboard, and the Latin letters on the same keys. */
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё';
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";

/**
 * One letter for all signs that are read or typed as that letter. `1 i l ! |` are one letter,
 * because people confuse each with each.
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

/** Replaces letters of other alphabets and signs that look like Latin letters by those. */
export function latinized(text: string): string {
  return toLatin(folded(text));
}

/**
 * Returns the texts that a password may stand for, without duplicates: as typed, with look-alike
 * letters replaced, and typed on a Russian keyboard. Replacing digits is left to the estimator.
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

/** A letter or digit as typed, and the letter by which it is compared. */
export interface SkeletonSign {
  readonly typed: string;
  readonly compared: string;
}

/** Returns the letters and digits of a text, each with the letter by which it is compared. */
export function skeletonOf(text: string): SkeletonSign[] {
  return [...withMergedLetters(latinized(text)).toLowerCase()]
    .map((typed) => ({ typed, compared: SKELETON[typed] ?? typed }))
    .filter(({ compared }) => /[\p{L}\p{N}]/u.test(compared));
}

/** Replaces pairs of letters that look like one. */
function withMergedLetters(text: string): string {
  return text.replace(/vv/gi, 'w').replace(/rn/gi, 'm');
}

/** Replaces Russian letters by the Latin ones on the same keys. */
function onLatinKeys(text: string): string {
  const keys = [...text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()];
  return keys.map((key) => LATIN_KEYS[RUSSIAN_KEYS.indexOf(key)] ?? key).join('');
}
