import { createHash } from 'node:crypto';
import type { StepFields } from '@winnow/contract/change';

type IssueTexts = { title: string; description: string };
type Texts = Pick<StepFields, 'title' | 'description'>;
const FIELDS = ['title', 'description'] as const;

/** Whether two texts differ in nothing but how lines end, which a browser and a tracker write differently. */
export function isSameText(one: string, other: string): boolean {
  return one === other || withPlainLineEnds(one) === withPlainLineEnds(other);
}

/** Whether an issue has each text that `fields` names. */
export function haveSameText(issue: IssueTexts, fields: Texts): boolean {
  return named(fields).every((field) => isSameText(issue[field], fields[field] ?? ''));
}

/** Whether an issue has the letters and digits of each text that `fields` names, in their order. */
export function haveSameWords(issue: IssueTexts, fields: Texts): boolean {
  return named(fields).every((field) => lettersOf(issue[field]) === lettersOf(fields[field] ?? ''));
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

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
