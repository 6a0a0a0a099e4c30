import { type Score, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary, translations } from '@zxcvbn-ts/language-en';
import type { Strength } from './levels.ts';

/**
 * Maximum characters rated. 40 random characters cannot be guessed, and rating time grows with the
 * square of the length.
 */
const MAX_RATED_CHARS = 40;
/**
 * Maximum spellings tried per word with replaced characters ("p@ssw0rd"). The default of 100 takes
 * up to 10 times as long.
 */
const MAX_REPLACED_SPELLINGS = 10;
/** Minimum accepted score. Scores 0 and 1 are guessed in fewer than a million attempts. */
const MIN_ACCEPTED_SCORE = 2;
/**
 * Minimum length of a name part that counts as personal data. Shorter parts occur in many good
 * passwords.
 */
const MIN_NAME_PART_CHARS = 3;

const PRODUCT_NAMES = ['winnow', 'usewinnow'];
const PERSONAL_DATA_HINT =
  'It contains your username, your email address, your name or the name of this product.';

const estimator = new ZxcvbnFactory({
  dictionary: { ...commonDictionary, ...englishDictionary },
  graphs: adjacencyGraphs,
  translations,
  maxLength: MAX_RATED_CHARS,
  l33tMaxSubstitutions: MAX_REPLACED_SPELLINGS,
});

/** Rates a password. `identity` holds the owner's username, email address and name. */
export function rateStrength(password: string, identity: readonly string[]): Strength {
  const known = [...identity, ...PRODUCT_NAMES].map((text) => text.toLowerCase());
  if (isPartOfAny(password, known)) return { score: 0, isAccepted: false, hint: PERSONAL_DATA_HINT };
  const parts = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score, feedback, sequence } = estimator.check(
    password,
    [...new Set(parts)].filter((part) => part.length >= MIN_NAME_PART_CHARS),
  );
  const isPersonal = sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs');
  return {
    score,
    isAccepted: score >= MIN_ACCEPTED_SCORE,
    hint: hintOf(score, isPersonal ? PERSONAL_DATA_HINT : feedback.warning, feedback.suggestions),
  };
}

/** True if the password, without digits and signs at its ends, is part of a known text. */
function isPartOfAny(password: string, known: readonly string[]): boolean {
  const core = password.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return core.length >= MIN_NAME_PART_CHARS + 1 && known.some((text) => text.includes(core));
}

function hintOf(score: Score, warning: string | null, suggestions: readonly string[]): string {
  if (score > MIN_ACCEPTED_SCORE) return '';
  return warning || suggestions[0] || 'Add another word or two. Uncommon words are better.';
}
