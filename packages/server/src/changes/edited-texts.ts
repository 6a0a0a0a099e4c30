import { createHash } from 'node:crypto';
import type { StepFields } from '@winnow/contract/change';

type IssueTexts = { title: string; description: string };
type Texts = Pick<StepFields, 'title' | 'description'>;
const FIELDS = ['title', 'description'] as const;

/** Of the words of a text, so many are there again when a tracker has put it into a form of its own. */
const KEPT_WORDS = 0.9;

/** Whether two texts differ in nothing but how lines end, which a browser and a tracker write differently. */
export function isSameText(one: string, other: string): boolean {
  return one === other || withPlainLineEnds(one) === withPlainLineEnds(other);
}

/** Whether an issue has each text that `fields` names. */
export function haveSameText(issue: IssueTexts, fields: Texts): boolean {
  return named(fields).every((field) => isSameText(issue[field], fields[field] ?? ''));
}

/**
 * Whether an issue has got each text of `after`, as far as it can be told from trackers that keep texts in forms of their
 * own: it is that text, or no longer the one of `before` and with nearly all of the words.
 */
export function isWritten(issue: IssueTexts, before: Texts, after: Texts): boolean {
  return named(after).every((field) => {
    const [live, was, wanted] = [issue[field], before[field] ?? '', after[field] ?? ''];
    return isSameText(live, wanted) || (!isSameText(live, was) && hasWordsOf(live, wanted));
  });
}

/** True if a tracker that took a write still shows one of the texts that were to be replaced. */
export function isUnchanged(issue: IssueTexts, before: Texts, after: Texts): boolean {
  return named(after).some((field) => {
    const [live, was, wanted] = [issue[field], before[field] ?? '', after[field] ?? ''];
    return isSameText(live, was) && !isSameText(live, wanted);
  });
}

/** SHA-256, in hex, of those of an issue's texts that `fields` names. */
export function hashOfTexts(issue: IssueTexts, fields: Texts): string {
  const texts = named(fields).map((field) => [field, withPlainLineEnds(issue[field])]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

function named(fields: Texts): (typeof FIELDS)[number][] {
  return FIELDS.filter((field) => fields[field] !== undefined);
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Whether a text has nearly all words of another, each as often, and not many more. */
function hasWordsOf(text: string, other: string): boolean {
  const [words, wanted] = [wordsOf(text), wordsOf(other)];
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common += 1;
  }
  return common >= KEPT_WORDS * Math.max(words.length, wanted.length);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu) ?? [];
}
