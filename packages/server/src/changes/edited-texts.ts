import { createHash } from 'node:crypto';
import type { StepFields } from '@winnow/contract/change';

type IssueTexts = { title: string; description: string };
type Texts = Pick<StepFields, 'title' | 'description'>;
const TEXT_FIELDS = ['title', 'description'] as const;

/** Minimum share of words that are preserved when a tracker converts a text to its own format. */
const MIN_SHARED_WORD_SHARE = 0.9;

/** True if two texts are equal except for line endings, which browsers and trackers change. */
export function isSameText(one: string, other: string): boolean {
  return one === other || withPlainLineEnds(one) === withPlainLineEnds(other);
}

/** True if the issue's texts equal those in `fields`. */
export function haveSameText(issue: IssueTexts, fields: Texts): boolean {
  return named(fields).every((field) => isSameText(issue[field], fields[field] ?? ''));
}

/**
 * True if an issue has received the texts of `after`. Some trackers reformat texts. A text
 * therefore also counts if it differs from `before` and contains nearly all words of `after`.
 */
export function isWritten(issue: IssueTexts, before: Texts, after: Texts): boolean {
  return named(after).every((field) => {
    const [live, was, wanted] = [issue[field], before[field] ?? '', after[field] ?? ''];
    return isSameText(live, wanted) || (!isSameText(live, was) && sharesMostWords(live, wanted));
  });
}

/**
 * True if at least one text still equals `before` although the tracker accepted a write of a
 * different text.
 */
export function isUnchanged(issue: IssueTexts, before: Texts, after: Texts): boolean {
  return named(after).some((field) => {
    const [live, was, wanted] = [issue[field], before[field] ?? '', after[field] ?? ''];
    return isSameText(live, was) && !isSameText(live, wanted);
  });
}

/**
 * Returns the SHA-256, in hex, of the issue's texts. Only the fields that `fields` contains are
 * hashed.
 */
export function hashOfTexts(issue: IssueTexts, fields: Texts): string {
  const texts = named(fields).map((field) => [field, withPlainLineEnds(issue[field])]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

function named(fields: Texts): (typeof TEXT_FIELDS)[number][] {
  return TEXT_FIELDS.filter((field) => fields[field] !== undefined);
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** True if two texts have nearly the same words, each with nearly the same frequency. */
function sharesMostWords(text: string, other: string): boolean {
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
  return common >= MIN_SHARED_WORD_SHARE * Math.max(words.length, wanted.length);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu) ?? [];
}
