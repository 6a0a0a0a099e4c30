import type { SearchItemType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { SearchedText } from '../engine/messages.ts';
import { findIssues } from '../store.ts';
import type { ParsedQuery } from './query.ts';
import { type FoundItem, findComments } from './store.ts';

/**
 * Maximum characters of a body that are sent to the engine for comparison. The comparison itself
 * uses fewer, so cutting does not change results.
 */
const MAX_COMPARED_CHARS = 20_000;

/**
 * Splits a query into title and body. The first line becomes the title, because it usually contains
 * the subject of a pasted text.
 */
export function searchedText({ text }: ParsedQuery): SearchedText {
  const end = text.search(/[\r\n]/);
  return end < 0 ? { title: text, body: '' } : { title: text.slice(0, end), body: text.slice(end + 1) };
}

/** Returns the text of an item that has no vector, so that it can be compared by words. */
export function comparable(title: string, body: string): SearchedText {
  return { title, body: body.slice(0, MAX_COMPARED_CHARS) };
}

/** Returns the texts of items, keyed by id. */
export async function textsOf(
  db: Db,
  accountId: string,
  items: readonly FoundItem[],
): Promise<Map<string, SearchedText>> {
  const [issues, comments] = await Promise.all([
    findIssues(db, accountId, idsOf(items, ['issue', 'change_request'])),
    findComments(db, accountId, idsOf(items, ['comment'])),
  ]);
  return new Map([
    ...issues.map(({ id, title, description }) => [id, comparable(title, description)] as const),
    ...comments.map(({ id, body }) => [id, comparable('', body)] as const),
  ]);
}

/** Returns the ids of those items that have one of these types. */
export function idsOf(items: readonly FoundItem[], types: readonly SearchItemType[]): string[] {
  return items.filter(({ itemType }) => types.includes(itemType)).map(({ id }) => id);
}
