import { type Score, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary, translations } from '@zxcvbn-ts/language-en';
import type { Strength } from './levels.ts';
import { folded, latinized, readingsOf, type SkeletonSign, skeletonOf } from './look-alikes.ts';

/**
 * Maximum characters that are rated. 40 random characters cannot be guessed, and the time of a
 * rating grows with the square of the length.
 */
const MAX_RATED_CHARS = 40;
/**
 * Maximum spellings tried per word with replaced characters ("p@ssw0rd"). The default of 100 takes
 * up to 10 times as long.
 */
const MAX_REPLACED_SPELLINGS = 10;
/** Minimum accepted score. Scores 0 and 1 are guessed in fewer than a million attempts. */
const MIN_ACCEPTED_SCORE = 2;
/** Maximum length of passwords that are also rated without the punctuation at both ends. */
const MAX_TRIMMED_CHARS = 20;
/**
 * Minimum length of a name part that counts as personal data. Shorter parts occur in many good
 * passwords.
 */
const MIN_NAME_PART_CHARS = 3;

/** Replaces each character of a password that belongs to a name. */
const GUESSED_CHARACTER = '\0';

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

/** Words that attackers of this product try first. */
const CONTEXT = ['github', 'gitlab', 'jira', 'linear', 'issue', 'issues', 'tracker', 'backlog', 'duplicate'];

type Rated = Pick<Strength, 'score' | 'hint'>;

/** Rates a password. `identity` holds the owner's username, email address and name. */
export function rateStrength(password: string, identity: readonly string[]): Strength {
  const names = [...identity, ...PRODUCT_NAMES].flatMap((name) => [folded(name), latinized(name)]);
  const known = [...new Set(names.map((name) => name.toLowerCase()))];
  const parts = partsOf(known);
  if (isPersonal(password, known, parts)) return { score: 0, isAccepted: false, hint: PERSONAL_DATA_HINT };
  const { score, hint } = lowestRating(password, parts);
  return { score, isAccepted: score >= MIN_ACCEPTED_SCORE, hint };
}

/**
 * Rates all texts that the password may stand for, and returns the lowest rating. Stops at the
 * first rating that is rejected.
 */
function lowestRating(password: string, parts: readonly string[]): Rated {
  const [first = '', ...others] = readingsOf(password).flatMap((reading) => [
    reading,
    ...withoutSigns(reading),
  ]);
  let lowest = estimate(first, parts);
  for (const reading of others) {
    if (lowest.score < MIN_ACCEPTED_SCORE) return lowest;
    const rated = estimate(reading, parts);
    if (rated.score < lowest.score) lowest = rated;
  }
  return lowest;
}

/**
 * Returns a text without the punctuation at both ends. Returns an empty array if there is no
 * punctuation, or if the text is too long.
 */
function withoutSigns(text: string): string[] {
  const core = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return core === text || core.length > MAX_TRIMMED_CHARS ? [] : [core];
}

function estimate(reading: string, parts: readonly string[]): Rated {
  const { score, feedback, sequence } = estimator.check(reading, [...parts, ...CONTEXT]);
  const isKnown = sequence.some(
    ({ dictionaryName, token }) => dictionaryName === 'userInputs' && !CONTEXT.includes(token.toLowerCase()),
  );
  return {
    score,
    hint: hintOf(score, isKnown ? PERSONAL_DATA_HINT : feedback.warning, feedback.suggestions),
  };
}

/** Returns the words of names, and the same words spelled backwards. */
function partsOf(known: readonly string[]): string[] {
  const words = known.flatMap((text) => [text, lettersOf(text), ...text.split(/[^\p{L}\p{N}]+/u)]);
  const long = words.filter((part) => part.length >= MIN_NAME_PART_CHARS);
  return [...new Set(long.flatMap((part) => [part, [...part].reverse().join('')]))];
}

/**
 * True if the password is part of one of the user's names. Also true if it contains one, and its
 * other characters form a weak password.
 */
function isPersonal(password: string, known: readonly string[], parts: readonly string[]): boolean {
  const signs = skeletonOf(password);
  const core = comparedText(latinized(password).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
  if (core.length > MIN_NAME_PART_CHARS && known.some((name) => comparedText(name).includes(core)))
    return true;
  const skeletons = [...new Set(parts.map(comparedText))].filter((part) => part !== '');
  const longestFirst = skeletons.toSorted((one, other) => other.length - one.length);
  const marked = longestFirst.reduce(
    (left, part) => left.replaceAll(part, GUESSED_CHARACTER.repeat(part.length)),
    joinedLetters(signs),
  );
  if (!marked.includes(GUESSED_CHARACTER)) return false;
  // Use the digits as typed, so that years and dates are recognized.
  const rest = signs.filter((_, index) => marked[index] !== GUESSED_CHARACTER).map(({ typed }) => typed);
  return estimator.check(lettersOf(rest.join(''))).score < MIN_ACCEPTED_SCORE;
}

/** Returns the form of a text that is compared with other texts. */
function comparedText(text: string): string {
  return joinedLetters(skeletonOf(text));
}

/**
 * Joins the compared letters, each as one code unit. A position in the result then equals the index
 * in `signs`.
 */
function joinedLetters(signs: readonly SkeletonSign[]): string {
  return signs.map(({ compared }) => compared.charAt(0)).join('');
}

/** Removes everything except letters and digits, so that separators cannot hide a name. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

function hintOf(score: Score, warning: string | null, suggestions: readonly string[]): string {
  if (score > MIN_ACCEPTED_SCORE) return '';
  return warning || suggestions[0] || 'Add another word or two. Uncommon words are better.';
}
