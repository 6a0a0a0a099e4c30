import { type Score, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary, translations } from '@zxcvbn-ts/language-en';
import type { Strength } from './levels.ts';

/**
 * Only this many characters are rated: 40 unpredictable ones are far beyond any guessing, and the time of a rating grows with
 * the square of the length.
 */
const MAX_RATED_CHARS = 40;
/** Spellings tried per word with characters replaced ("p@ssw0rd"). With 100, the default, a rating takes up to 10 times longer. */
const MAX_REPLACED_SPELLINGS = 10;
/** Ratings 0 and 1 are refused: guessed in fewer than a million attempts. */
const MIN_ACCEPTED_SCORE = 2;
/** Shorter parts of a name are in too many good passwords to count as the name. */
const MIN_NAME_PART_CHARS = 3;

const PRODUCT_NAMES = ['winnow', 'usewinnow'];
const PERSONAL = 'It contains your username, your email address, your name or the name of this product.';

const estimator = new ZxcvbnFactory({
  dictionary: { ...commonDictionary, ...englishDictionary },
  graphs: adjacencyGraphs,
  translations,
  maxLength: MAX_RATED_CHARS,
  l33tMaxSubstitutions: MAX_REPLACED_SPELLINGS,
});

/** Rates a password. `identity` holds what an attacker knows of its owner: username, email address, name. */
export function rateStrength(password: string, identity: readonly string[]): Strength {
  const known = [...identity, ...PRODUCT_NAMES].map((text) => text.toLowerCase());
  if (isPartOfAny(password, known)) return { score: 0, isAccepted: false, hint: PERSONAL };
  const parts = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score, feedback, sequence } = estimator.check(
    password,
    [...new Set(parts)].filter((part) => part.length >= MIN_NAME_PART_CHARS),
  );
  const isPersonal = sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs');
  return {
    score,
    isAccepted: score >= MIN_ACCEPTED_SCORE,
    hint: hintOf(score, isPersonal ? PERSONAL : feedback.warning, feedback.suggestions),
  };
}

/** True if the password, without digits and signs at its ends, is a piece of something that is known of its owner. */
function isPartOfAny(password: string, known: readonly string[]): boolean {
  const core = password.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return core.length >= MIN_NAME_PART_CHARS + 1 && known.some((text) => text.includes(core));
}

function hintOf(score: Score, warning: string | null, suggestions: readonly string[]): string {
  if (score > MIN_ACCEPTED_SCORE) return '';
  return warning || suggestions[0] || 'Add another word or two. Uncommon words are better.';
}
