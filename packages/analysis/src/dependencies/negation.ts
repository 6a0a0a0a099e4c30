// prose-exception-file: patterns of sentences in issues
/**
 * Patterns for the text around a phrase that weaken it: denial, the past, a condition, or doubt.
 */

const WORDS_BETWEEN =
  "(?:\\s{1,3}(?!(?:and|but|so|because|since|as|until|that|which|it|this|we|und|aber|only)(?![\\p{L}]))[\\p{L}\uE000'’-]{1,20}){0,4}";
/** Matches text before a phrase that negates the phrase. */
export const NEGATION_BEFORE = new RegExp(
  `(?:(?<![\\p{L}])(?:not|no|no longer|never|nothing|none|neither|nor|cannot|rather than|instead of|avoid(?:s|ing)?|stop(?:s|ped)?|without|remov(?:es?|ing)|drop(?:s|ped)?|used to|unlike|nicht|kein(?:e|en|er)?|nie|ne|n[’']est|pas|plus|jamais|nunca|ya no)|n['’]t)(?!\\s{1,3}only(?![\\p{L}]))${WORDS_BETWEEN}\\s{0,3}$`,
  'iu',
);
/** Matches text before a phrase, such as `was`, that makes it a past state. */
export const PAST_BEFORE =
  /(?<![\p{L}])(?:was|were|had been|war|wurde|était|fue|estaba)\s{1,3}(?:(?:also|earlier|first|formerly|initially|once|only|originally|previously|recently|temporarily)\s{1,3})?$/iu;
/** Matches text before a phrase, such as `has been`, that makes it a continuing state. */
export const HAS_BEEN_BEFORE = /(?<![\p{L}])(?:has|have)\s{1,3}been\s{1,3}(?:\p{L}{1,20}\s{1,3})?$/iu;
/** Matches text after a phrase that negates the phrase. */
export const NEGATION_AFTER =
  /^[\s,(–-]{0,4}(?:any ?more|no longer|not any ?more|nicht mehr|but (?:it|this|that) (?:did|does|is|was) ?n[o'’]t)(?![\p{L}])/iu;
/** Matches text after a mention, such as `landed`, that says it is finished. */
export const DONE_AFTER =
  /^\s{0,3}(?:\([^()]{0,60}\)\s{0,3})?(?:was|were|got|had been|landed|shipped|went|wurde|a été|fue)(?![\p{L}])/iu;
/** Matches text before a phrase that makes it conditional. */
export const CONDITION_BEFORE = /(?<![\p{L}])(?:if|whether|falls|ob)(?![\p{L}])[^,.;]{0,60}$/iu;
/** Matches text before a phrase that makes it doubtful. */
export const DOUBT_BEFORE =
  /(?<![\p{L}])(?:could|guess|likely|may|maybe|might|not sure|perhaps|possibly|presumably|probably|seems?|unsure|vielleicht|wohl|peut-être|quizás?)(?![\p{L}])[^.;]{0,60}$/iu;
/**
 * Words for a regression or failure. A sentence with such a word describes a problem, not a
 * dependency.
 */
export const FAILURE_WORDS =
  /(?<![\p{L}])(?:worked|was fine|were fine|broke|regress(?:ed|ion)|stopped working|crash(?:es|ed)|fail(?:s|ed))(?![\p{L}])/iu;
