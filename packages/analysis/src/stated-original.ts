import { MENTION, maskMentions } from './dependencies/masked-mentions.ts';
import { NEGATION_BEFORE } from './dependencies/negation.ts';
import { proseOf } from './dependencies/prose.ts';
import { quoted } from './dependencies/quote.ts';
import { statementsIn } from './dependencies/statements.ts';
import { type IsKnownReference, type ReferringIssue, referencesInProse } from './references.ts';

/** A statement in a comment that its issue is, or is not, a duplicate. */
interface StatedOriginal {
  /**
   * Key of the issue that is duplicated. Null if the comment says that its issue is not a
   * duplicate.
   */
  original: string | null;
  quote: string;
}

/** Matches “duplicate of” and similar phrases with the mention after them. */
const STATES = new RegExp(
  `(?<![\\p{L}-])(?:duplicates?(?:\\s{1,3}(?:of|against))?|dupe?(?:\\s{1,3}of)?|same\\s{1,3}(?:issue|bug)\\s{1,3}as)` +
    `(?:\\s{0,3}:)?\\s{1,4}(?:(?:the|our|older|earlier|existing|original|issue|bug|ticket|report)\\s{1,3}){0,4}` +
    `(${MENTION}+)`,
  'giu',
);
/**
 * Matches words before the phrase if the comment is about its own issue. Other words may change the
 * meaning.
 */
const ABOUT_THIS_ISSUE = new RegExp(
  `^[^\\p{L}\\p{N}${MENTION}]{0,20}` +
    `(?:(?:thanks|thank you|sorry|yes|yeah|yep|indeed|ok|okay|oh|oops|ah|reopening)[\\s\\p{L}]{0,30}[,.!:–-]\\s{0,3})?` +
    `(?:so\\s{1,3})?(?:(?:i am|i['’]m|i will|i['’]ll)\\s{1,3}(?:going\\s{1,3}to\\s{1,3})?)?` +
    `(?:(?:closing|closed?|marking|marked|resolving|resolved)\\s{1,3}(?:this\\s{1,3})?` +
    `(?:(?:issue|bug|ticket|report|one)\\s{1,3})?(?:as|because|since)\\s{1,3})?` +
    `(?:(?:this|it)(?:\\s{1,3}(?:issue|bug|ticket|report|one))?(?:\\s{1,3}is|['’]s)?\\s{1,3})?` +
    `(?:(?:just|actually|indeed|also|clearly|an?|the|exact)\\s{1,3}){0,3}$`,
  'iu',
);
/** Matches words after the mention that restrict the statement. */
const LIMITED =
  /(?<![\p{L}])(?:and|or|but|except|partly|partially|although|though|however|unless|not)(?![\p{L}])|n['’]t(?![\p{L}])/iu;

/**
 * Returns the issue that a comment names as the original, as in "Closing as duplicate of #12".
 * Ignores questions, guesses, conditions and quotes, and statements about other issues. Returns
 * null if two statements disagree. Runs in linear time.
 */
export function statedOriginal(
  comment: string,
  issue: ReferringIssue,
  isKnown: IsKnownReference,
): StatedOriginal | null {
  const prose = proseOf(comment);
  const references = referencesInProse(prose, issue, isKnown);
  if (references.length === 0) return null;
  const view = maskMentions(prose, references);
  const keyAt = new Map(references.map(({ start, key }) => [start, key]));
  const said = statementsIn(prose, view).flatMap(({ start, end }): StatedOriginal[] => {
    const sentence = view.slice(start, end);
    if (/\?\s*$/.test(sentence)) return [];
    return [...sentence.matchAll(STATES)].flatMap(
      ({ 0: phrase, 1: mention = '', index }): StatedOriginal[] => {
        const key = keyAt.get(start + index + phrase.length - mention.length);
        const before = sentence.slice(0, index);
        const quote = quoted(comment.slice(start, end));
        if (key === undefined) return [];
        if (NEGATION_BEFORE.test(before)) return [{ original: null, quote }];
        const after = sentence.slice(index + phrase.length);
        const isLimited = after.includes(MENTION) || LIMITED.test(after);
        return isLimited || !ABOUT_THIS_ISSUE.test(before) ? [] : [{ original: key, quote }];
      },
    );
  });
  const [first] = said;
  return first !== undefined && said.every(({ original }) => original === first.original) ? first : null;
}
