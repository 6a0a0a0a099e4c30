import { DOUBT_BEFORE, NEGATION_BEFORE } from './negation.ts';

/**
 * Strength of a requirement. `first`: it must be finished first. `needed`: it is necessary. `used`:
 * it is used.
 */
export type RequirementStrength = 'first' | 'needed' | 'used';

/** A phrase that states a requirement, from `start` to `end`. */
export interface Requirement {
  need: RequirementStrength;
  start: number;
  /** The words from here to `end` name what is required. */
  from: number;
  end: number;
}

/**
 * Maximum characters that are examined before a phrase for doubt, and after it for what is
 * required.
 */
const MAX_REQUIREMENT_CHARS = 100;
const REQUIREMENT_ENDS =
  /[,;:.!?]\s|[;:!?()]|\.$|\s[–—-]\s|(?<!\p{L})(?:because|but|otherwise|so that|since|although|though|which|where|while)(?!\p{L})/iu;
const IS_THERE =
  /(?<!\p{L})(?:(?:is|are|has been|have been|gets|get) (?:\p{L}{1,12} )?(?:accepted|available|built|complete|completed|decided|defined|delivered|deployed|done|finished|fixed|implemented|in|introduced|landed|live|merged|migrated|out|ready|released|settled|shipped|stable|there)|exists?|lands?|ships?|works?)(?!\p{L})/iu;

/**
 * Each pattern of a requirement has a strength. Some have a pattern that must match after what is
 * required.
 */
const REQUIREMENTS: readonly (readonly [asks: RegExp, need: RequirementStrength, then?: RegExp])[] = [
  [/(?<!\p{L})(?:once|as soon as|until) (?:there (?:is|are)|we have|we get|it has|they have)\s/giu, 'first'],
  [/(?<!\p{L})(?:once|as soon as|until|after|when)\s/giu, 'first', IS_THERE],
  [
    /(?<!\p{L})(?:can ?not|can['’]t|cannot|not|impossible|pointless|useless|no way|little sense|makes no sense|won['’]t)\s[^.;:?!]{0,60}?\b(?:without|until|before)\s/giu,
    'first',
  ],
  [
    /(?<!\p{L})(?:blocked (?:by|on|until)|depend(?:s|ing|ent)? (?:up)?on|rel(?:y|ies|ying) on|hinges on|builds? (?:up)?on|on top of|wait(?:s|ing)? (?:for|on|until)|awaits?|awaiting|pending|presupposes|assumes|prerequisites?:? (?:is|are)?|follow-?up to)\s/giu,
    'first',
  ],
  [/(?<!\p{L})(?:requires?|needs?)\s(?!to\s)/giu, 'needed'],
  [
    /(?<!\p{L})(?:uses?|using|reus(?:es?|ing)|via|through|with|calls?|consumes?|reads? from|writes? to) (?:the|our|a) (?:new|planned|upcoming|future|proposed)\s/giu,
    'used',
  ],
  [
    /(?<!\p{L})(?:should use|will use|can use|could use|would use|must use|to use|instead use|reus(?:es?|ing|ed)?|plugs? into|hooks? into|goes through|go through)\s(?:the|our|that)\s/giu,
    'used',
  ],
];

/**
 * Matches requests to other issues: a need ("needs a …"), or a duty with a purpose ("for this the
 * server has to …"). Also matches the use of something built elsewhere.
 */
const REQUIRES_ELSEWHERE =
  /(?<!\p{L})(?:(?:needs?|requires?)\s(?!to\s)|(?:for (?:this|that)|to \p{L}+ [^,.;:]{0,40}),?\s(?:the|a|an)\s[^.;:]{0,40}?(?:must|has to|have to|needs? to)\s|if (?:somebody|someone|the \p{L}+) (?:gives?|gave|had|offers?|offered|tells?|told|provides?|provided)\s|introduced (?:for|with|by)\s|(?:blocked|wait(?:s|ing)?) (?:by|for|until)\s|(?:can ?not|can['’]t)\s[^.;:]{0,60}\b(?:without|until)\s)/iu;

/** States that something is missing: another issue must provide it. */
const LACKS =
  /(?<!\p{L})(?:(?:is|are|was|were|be) not (?:yet )?(?:available|counted|exposed|kept|known|measured|published|recorded|saved|stored|there|tracked)|(?:nobody|nothing|no one) (?:counts|keeps|knows|records|says|stores|tells)|(?:do|does) not (?:carry|contain|count|have|keep|know|measure|record|store|track)|(?:have|has|is|are) no(?:ne)?|not possible (?:now|today|yet)|only possible|cannot (?:be done|know|see|tell)|would (?:have|need) to (?:be able|be told|know))(?!\p{L})/iu;

/**
 * True if a sentence requests something from other issues, without doubt or negation. Also true if
 * it states that something is missing.
 */
export function requiresElsewhere(sentence: string): boolean {
  const found = REQUIRES_ELSEWHERE.exec(sentence);
  return found === null ? LACKS.test(sentence) : !isTakenBack(sentence, found.index);
}

/** True if the words before position `at` negate or doubt the words after it. */
function isTakenBack(sentence: string, at: number): boolean {
  const lead = sentence.slice(Math.max(0, at - MAX_REQUIREMENT_CHARS), at);
  return NEGATION_BEFORE.test(lead) || DOUBT_BEFORE.test(lead);
}

/** Finds the requirements that a sentence states. Ignores those that it negates or doubts. */
export function requirementsIn(sentence: string): Requirement[] {
  return REQUIREMENTS.flatMap(([pattern, need, then]) =>
    [...sentence.matchAll(pattern)].flatMap(({ 0: words, index }) => {
      if (isTakenBack(sentence, index)) return [];
      const from = index + words.length;
      const reached = sentence.slice(from, from + MAX_REQUIREMENT_CHARS);
      const isThere = then === undefined ? reached.length : then.exec(reached)?.index;
      if (isThere === undefined) return [];
      const length = Math.min(isThere, REQUIREMENT_ENDS.exec(reached)?.index ?? reached.length);
      return [{ need, start: index, from, end: from + length }];
    }),
  );
}
