import { isId } from '@winnow/contract/primitives';
import type { Db } from '../../schema/tables.ts';
import { type FoundItem, findById, findNumbered, type NumberedIssue, type SearchFilter } from './store.ts';

/** `#12`, `!12`, `app#12`, `owner/app#12`, `group/sub/app!12`, `PROJ-12`. */
const NUMBERED_KEY = /^(?:[\p{L}\p{N}._/-]{0,300}[#!]|[A-Za-z][A-Za-z0-9_]{0,99}-)(\d{1,15})$/u;
/**
 * A number without a project. It matches every issue with that number, and is also searched as
 * text.
 */
const ISSUE_NUMBER = /^\d{1,9}$/;
/** URL of an item. It may lack its scheme or be enclosed in angle brackets, as users paste it. */
const ITEM_ADDRESS = /^<?((?:https?:\/\/)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?\/[^\s<>]+)>?$/i;
const HTTP_SCHEME = /^https?:\/\//i;
const NUMBER_AT_END = /(?:^|[/-])(\d{1,15})$/;
const ANY_ITEM = {
  itemTypes: ['issue', 'change_request'],
  status: 'all',
  projectIds: null,
  issueIds: null,
} as const;

/** Returns the items that a query names by id, key, number or URL, ordered by key. */
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

/** Returns the issues and change requests with this URL; none if the text is not a URL. */
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
 * True if `written` is the key, with or without leading parts of the project path. Case is ignored.
 */
export function isKeyOf(written: string, key: string): boolean {
  const [named, full] = [written.toLowerCase(), key.toLowerCase()];
  if (named === full) return true;
  return /^[#!]/.test(named) ? full.endsWith(named) : /[#!]/.test(named) && full.endsWith(`/${named}`);
}

/** Normalizes an issue's URL for comparison. Returns an empty string if it is not a URL. */
export function comparableAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return '';
  // The URL of a Jira board names the selected issue in a parameter.
  const onBoard = url.searchParams.get('selectedIssue');
  const path = (onBoard === null ? url.pathname : `/issues/${onBoard}`)
    .replace(/\/+$/, '')
    .replace(/(\/(?:issues|pull|merge_requests|work_items)\/\d+)\/[^\d].*$/, '$1')
    .replace(/\/-\/work_items\/(?=\d+$)/, '/-/issues/')
    .replace(/\/pull\/(?=\d+$)/, '/issues/')
    .replace(/^.*\/(?:issues|browse)\/(?=[A-Za-z][A-Za-z0-9_]*-\d+$)/, '/browse/');
  return `${url.host}${path}`.toLowerCase();
}
