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
/** Signs at the ends of passwords up to this length are removed before rating. */
const MAX_TRIMMED_CHARS = 20;
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

/** Words that attackers try first in this product. */
const CONTEXT = ['github', 'gitlab', 'jira', 'linear', 'issue', 'issues', 'tracker', 'backlog', 'duplicate'];
/** Common replacements of letters. */
const REPLACED: Readonly<Record<string, string>> = {
  '4': 'a',
  '@': 'a',
  '3': 'e',
  '1': 'l',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};

type Rated = Pick<Strength, 'score' | 'hint'>;

/** Rates a password. `identity` holds the owner's username, email address and name. */
export function rateStrength(password: string, identity: readonly string[]): Strength {
  const known = [...identity, ...PRODUCT_NAMES].map(folded).map((text) => text.toLowerCase());
  const parts = partsOf(known);
  const whole = estimate(password, parts);
  if (isPersonal(password, known, parts)) return { score: 0, isAccepted: false, hint: PERSONAL_DATA_HINT };
  const { score, hint } = withoutSigns(password, whole, parts);
  return { score, isAccepted: score >= MIN_ACCEPTED_SCORE, hint };
}

/** Returns the lower of two ratings: with the signs at both ends, and without them. */
function withoutSigns(password: string, whole: Rated, parts: readonly string[]): Rated {
  const core = folded(password).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (core === password || core.length > MAX_TRIMMED_CHARS) return whole;
  const short = estimate(core, parts);
  return short.score < whole.score ? short : whole;
}

function estimate(password: string, parts: readonly string[]): Rated {
  const { score, feedback, sequence } = estimator.check(folded(password), [...parts, ...CONTEXT]);
  const isKnown = sequence.some(
    ({ dictionaryName, token }) => dictionaryName === 'userInputs' && !CONTEXT.includes(token.toLowerCase()),
  );
  return {
    score,
    hint: hintOf(score, isKnown ? PERSONAL_DATA_HINT : feedback.warning, feedback.suggestions),
  };
}

/** Splits names into words, and reverses them. */
function partsOf(known: readonly string[]): string[] {
  const words = known.flatMap((text) => [text, lettersOf(text), ...text.split(/[^\p{L}\p{N}]+/u)]);
  const long = words.filter((part) => part.length >= MIN_NAME_PART_CHARS);
  return [...new Set(long.flatMap((part) => [part, [...part].reverse().join('')]))];
}

/** True if the password is part of a known text, or contains one with nothing strong around it. */
function isPersonal(password: string, known: readonly string[], parts: readonly string[]): boolean {
  const plain = folded(password).toLowerCase();
  const respelled = plain.replace(/[^\p{L}]/gu, (character) => REPLACED[character] ?? character);
  return [plain, respelled].some((text) => {
    const core = lettersOf(text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
    if (core.length > MIN_NAME_PART_CHARS && known.some((name) => lettersOf(name).includes(core)))
      return true;
    const letters = lettersOf(text);
    const longestFirst = parts.map(lettersOf).toSorted((one, other) => other.length - one.length);
    const rest = longestFirst.reduce(
      (left, part) => (part === '' ? left : left.replaceAll(part, ' ')),
      letters,
    );
    return rest !== letters && estimator.check(rest.replaceAll(' ', '')).score < MIN_ACCEPTED_SCORE;
  });
}

/** Removes compatibility forms and accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Removes all but letters and digits, so that no separator hides a name. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

function hintOf(score: Score, warning: string | null, suggestions: readonly string[]): string {
  if (score > MIN_ACCEPTED_SCORE) return '';
  return warning || suggestions[0] || 'Add another word or two. Uncommon words are better.';
}
