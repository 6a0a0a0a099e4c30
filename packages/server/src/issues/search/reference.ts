import { isId } from '@winnow/contract/primitives';
import type { Db } from '../../schema/tables.ts';
import { type FoundItem, findById, findNumbered, type SearchFilter } from './store.ts';

/** `#12`, `!12`, `app#12`, `owner/app#12`, `group/sub/app!12`, `PROJ-12`. */
const KEY = /^(?:[\p{L}\p{N}._/-]{0,300}[#!]|[A-Za-z][A-Za-z0-9_]{0,99}-)(\d{1,15})$/u;
/** A number alone matches every issue with that number. It is also searched as text. */
const NUMBER = /^\d{1,9}$/;
const ADDRESS = /^https?:\/\/\S+$/i;
const NUMBER_AT_END = /(?:^|[/-])(\d{1,15})$/;

/** Returns the items that a query names by id, key, number or URL, ordered by key. */
export async function findNamed(
  db: Db,
  accountId: string,
  query: string,
  filter: SearchFilter,
): Promise<FoundItem[]> {
  const written = query.trim();
  if (isId(written)) return findById(db, accountId, written.toLowerCase(), filter);
  if (NUMBER.test(written)) return (await findNumbered(db, accountId, written, filter)).map(foundOf);
  const number = KEY.exec(written)?.[1];
  if (number !== undefined) {
    const candidates = await findNumbered(db, accountId, number, filter);
    return candidates.filter(({ key }) => isKeyOf(written, key)).map(foundOf);
  }
  if (!ADDRESS.test(written)) return [];
  const address = comparableAddress(written);
  const numberInAddress = NUMBER_AT_END.exec(address)?.[1];
  if (numberInAddress === undefined) return [];
  const candidates = await findNumbered(db, accountId, numberInAddress, filter);
  return candidates.filter(({ url }) => comparableAddress(url) === address).map(foundOf);
}

function foundOf({ id, item_type }: { id: string; item_type: FoundItem['itemType'] }): FoundItem {
  return { id, itemType: item_type };
}

/**
 * True if `written` is the key, in full or without leading parts of the project path. Case is
 * ignored.
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
  const path = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/-\/work_items\/(?=\d+$)/, '/-/issues/')
    .replace(/\/pull\/(?=\d+$)/, '/issues/');
  return `${url.host}${path}`.toLowerCase();
}
