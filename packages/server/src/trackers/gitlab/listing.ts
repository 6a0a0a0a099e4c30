import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RestCall, RestClient, RestResponse } from '../rest/client.ts';
import { malformed } from '../rest/failures.ts';
import { linkTo } from '../rest/link-header.ts';
import { readAs, wholeNumber } from '../rest/read.ts';
import { responseTimeOf } from '../rest/response-time.ts';
import { advance, formatCursor, isStuck, parseCursor, type WalkItem, windowAt } from '../rest/update-walk.ts';

const PAGE_SIZE = 100;

/**
 * Returns all items of a short listing. Stops after a page for which `isEnough` returns true. A
 * page can be incomplete, because GitLab omits hidden items, so the headers decide if another page
 * follows.
 */
export async function readAll<T>(
  client: RestClient,
  schema: z.ZodType<T>,
  call: Omit<RestCall, 'method'>,
  signal: AbortSignal,
  isEnough: (page: T[]) => boolean = () => false,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...call.query, per_page: String(PAGE_SIZE), page: String(page) };
    const answer = await client.call({ ...call, method: 'GET', query }, signal);
    const read = readAs(z.array(schema), answer.data, client.address.name, call.subject);
    items.push(...read);
    if (!hasNext(answer) || isEnough(read)) return items;
  }
}

function hasNext({ headers }: RestResponse): boolean {
  const next = headers.get('x-next-page');
  return next === null ? linkTo(headers.get('link'), 'next') !== null : next !== '';
}

/** A listing that is sorted by one of the times of its items, such as the update time. */
export interface Listing<Wire> {
  call: Omit<RestCall, 'method'>;
  schema: z.ZodType<Wire>;
  by: 'updated_at' | 'created_at';
  timeOf: (wire: Wire) => Date;
}

export interface WalkedPage<Wire> {
  wires: Wire[];
  cursor: string;
  done: boolean;
  /** Number of items, on the first page only. Null if GitLab does not count them. */
  total: number | null;
}

/**
 * Returns one page, from `cursor`, of a listing sorted by time. If nothing has changed since the
 * listing was last read to its end, returns no items and the same cursor.
 *
 * With GitLab's ETag, an unchanged page is not sent again. A proxy may remove the ETag, so the
 * cursor also contains a digest of the last items.
 */
export async function walk<Wire extends { id: number }>(
  client: RestClient,
  listing: Listing<Wire>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<WalkedPage<Wire>> {
  const { call, by } = listing;
  const state = parseCursor(cursor);
  const window = windowAt(state.offset);
  const query = {
    ...call.query,
    scope: 'all',
    state: 'all',
    order_by: by,
    sort: 'asc',
    per_page: String(window.size),
    page: String(window.page),
    ...(state.since === null
      ? {}
      : { [by === 'updated_at' ? 'updated_after' : 'created_after']: state.since }),
  };
  const [digest = null, etag = null] = state.etag?.split(' ') ?? [];
  const answer = await client.call({ ...call, method: 'GET', query, etag }, signal);
  const unchanged = { wires: [], cursor: formatCursor(state), done: true, total: null };
  if (answer.status === 304) return unchanged;

  const wires = readAs(z.array(listing.schema), answer.data, client.address.name, call.subject);
  const seen = wires.map((wire): WalkItem => ({ id: String(wire.id), updatedAt: listing.timeOf(wire) }));
  const seenDigest = digestOf(seen);
  if (digest === seenDigest) return unchanged;
  const { next, done } = advance(state, seen, {
    more: hasNext(answer),
    etag: `${seenDigest} ${answer.headers.get('etag') ?? ''}`.trimEnd(),
    answeredAt: responseTimeOf(answer.headers),
    now: client.now(),
  });
  if (isStuck(state, next)) throw malformed(client.address.name, call.subject);
  const isFirst = state.since === null && state.offset === 0;
  return { wires, cursor: formatCursor(next), done, total: isFirst ? totalOf(answer) : null };
}

function digestOf(items: readonly WalkItem[]): string {
  const versions = items.map(({ id, updatedAt }) => `${id}@${updatedAt.getTime()}`).join();
  return createHash('sha256').update(versions).digest('base64url').slice(0, 22);
}

/**
 * Returns the number of items that the response headers report. Returns null above 10,000 items,
 * because GitLab does not count further.
 */
export function totalOf({ headers }: RestResponse): number | null {
  return wholeNumber(headers.get('x-total'));
}
