import { isId } from '@winnow/contract/primitives';
import type { Db } from '../../schema/tables.ts';
import { type FoundItem, findById, findNumbered, type NumberedIssue, type SearchFilter } from './store.ts';

/**
 * Issue keys as users write them: `#12`, `!12`, `app#12`, `owner/app#12`, `group/sub/app!12`,
 * `PROJ-12`.
 */
const NUMBERED_KEY = /^(?:[\p{L}\p{N}._/-]{0,300}[#!]|[A-Za-z][A-Za-z0-9_]{0,99}-)(\d{1,15})$/u;
/**
 * A number without a project. It names every issue with that number. It is also searched for as
 * text.
 */
const ISSUE_NUMBER = /^\d{1,9}$/;
/**
 * URL of an issue or change request, as users paste it. It may lack its scheme or be enclosed in
 * angle brackets.
 */
const ITEM_ADDRESS = /^<?((?:https?:\/\/)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?\/[^\s<>]+)>?$/i;
const HTTP_SCHEME = /^https?:\/\//i;
const NUMBER_AT_END = /(?:^|[/-])(\d{1,15})$/;
const ANY_ITEM = {
  itemTypes: ['issue', 'change_request'],
  status: 'all',
  projectIds: null,
  issueIds: null,
} as const;

/** Returns the items that a query names by id, key, number or URL, sorted by key. */
export async function findNamed(
  db: Db,
  accountId: string,
  query: string,
  filter: SearchFilter,
): Promise<FoundItem[]> {
  const written = query.trim();
  if (isId(written)) return findById(db, accountId, written.toLowerCase(), filter);
  if (ISSUE_NUMBER.test(written)) return (await findNumbered(db, accountId, written, filter)).map(foundOf);
  const number = NUMBERED_KEY.exec(written)?.[1];
  if (number !== undefined) {
    const candidates = await findNumbered(db, accountId, number, filter);
    return candidates.filter(({ key }) => isKeyOf(written, key)).map(foundOf);
  }
  return (await findAtAddress(db, accountId, written, filter)).map(foundOf);
}

/**
 * Returns the issues and change requests that have this URL. Returns none if the text is not a URL.
 */
export async function findAtAddress(
  db: Db,
  accountId: string,
  written: string,
  filter: SearchFilter = ANY_ITEM,
): Promise<NumberedIssue[]> {
  const text = ITEM_ADDRESS.exec(written.trim())?.[1];
  if (text === undefined) return [];
  const address = comparableAddress(HTTP_SCHEME.test(text) ? text : `https://${text}`);
  const number = NUMBER_AT_END.exec(address)?.[1];
  if (number === undefined) return [];
  const candidates = await findNumbered(db, accountId, number, filter);
  return candidates.filter(({ url }) => comparableAddress(url) === address);
}

function foundOf({ id, item_type }: { id: string; item_type: FoundItem['itemType'] }): FoundItem {
  return { id, itemType: item_type };
}

/**
 * True if `written` names the issue with this key. The first parts of the project path may be
 * missing, and case is ignored.
 */
export function isKeyOf(written: string, key: string): boolean {
  const [named, full] = [written.toLowerCase(), key.toLowerCase()];
  if (named === full) return true;
  return /^[#!]/.test(named) ? full.endsWith(named) : /[#!]/.test(named) && full.endsWith(`/${named}`);
}

/**
 * Normalizes the URL of an issue, so that two forms of it can be compared. Returns an empty string
 * if it is not a URL.
 */
export function comparableAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return '';
  // On the page of a Jira board, the URL contains the key of the selected issue as a parameter.
  const onBoard = url.searchParams.get('selectedIssue');
  const path = (onBoard === null ? url.pathname : `/issues/${onBoard}`)
    .replace(/\/+$/, '')
    .replace(/(\/(?:issues|pull|merge_requests|work_items)\/\d+)\/[^\d].*$/, '$1')
    .replace(/\/-\/work_items\/(?=\d+$)/, '/-/issues/')
    .replace(/\/pull\/(?=\d+$)/, '/issues/')
    .replace(/^.*\/(?:issues|browse)\/(?=[A-Za-z][A-Za-z0-9_]*-\d+$)/, '/browse/');
  return `${url.host}${path}`.toLowerCase();
}
