import { z } from 'zod';
import type { IssueTarget, Page } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { malformed } from '../rest/failures.ts';
import { linkTo } from '../rest/link-header.ts';
import { readAs } from '../rest/read.ts';
import { responseTimeOf } from '../rest/response-time.ts';
import { advance, formatCursor, isStuck, parseCursor, type WalkItem, windowAt } from '../rest/update-walk.ts';
import { about, issuePath } from './api-paths.ts';
import { type WireIssue, wireIssue } from './map.ts';

const PAGE_SIZE = 100;

/** Reads the current state of an issue or pull request. */
export async function getIssue(
  client: RestClient,
  target: IssueTarget,
  signal: AbortSignal,
): Promise<WireIssue> {
  const call: RestCall = { method: 'GET', path: issuePath(target), ...about(target) };
  return readAs(wireIssue, (await client.call(call, signal)).data, client.address.name, call.subject);
}

/** Returns all items of a short listing, from all its pages. */
export async function readAll<T>(
  client: RestClient,
  schema: z.ZodType<T>,
  call: Omit<RestCall, 'method'>,
  signal: AbortSignal,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...call.query, per_page: String(PAGE_SIZE), page: String(page) };
    const answer = await client.call({ ...call, method: 'GET', query }, signal);
    const read = readAs(z.array(schema), answer.data, client.address.name, call.subject);
    items.push(...read);
    const more = read.length >= PAGE_SIZE || linkTo(answer.headers.get('link'), 'next') !== null;
    if (!more || read.length === 0) return items;
  }
}

/**
 * Returns one page, from `cursor`, of a listing sorted by update time.
 *
 * If nothing has changed since the listing was last read to its end, this takes one conditional
 * request. GitHub does not count that request towards the rate limit.
 */
export async function walk<Wire extends { updated_at: Date }, Item>(
  client: RestClient,
  listing: {
    call: Omit<RestCall, 'method'>;
    schema: z.ZodType<Wire>;
    idOf: (wire: Wire) => string;
    map: (wire: Wire) => Item | null;
  },
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<Item>> {
  const state = parseCursor(cursor);
  const window = windowAt(state.offset);
  const query = {
    ...listing.call.query,
    sort: 'updated',
    direction: 'asc',
    per_page: String(window.size),
    page: String(window.page),
    ...(state.since === null ? {} : { since: state.since }),
  };
  const answer = await client.call({ ...listing.call, method: 'GET', query, etag: state.etag }, signal);
  if (answer.status === 304) return { items: [], cursor: formatCursor(state), done: true, total: null };

  const wires = readAs(z.array(listing.schema), answer.data, client.address.name, listing.call.subject);
  const link = answer.headers.get('link');
  const more = linkTo(link, 'next') !== null;
  const seen = wires.map((wire): WalkItem => ({ id: listing.idOf(wire), updatedAt: wire.updated_at }));
  const { next, done } = advance(state, seen, {
    more,
    etag: answer.headers.get('etag'),
    answeredAt: responseTimeOf(answer.headers),
    now: client.now(),
  });
  if (isStuck(state, next)) throw malformed(client.address.name, listing.call.subject);
  const items = wires.flatMap((wire) => {
    const item = listing.map(wire);
    return item === null ? [] : [item];
  });
  const isFirst = state.since === null && state.offset === 0;
  return { items, cursor: formatCursor(next), done, total: isFirst ? totalOf(link, wires.length) : null };
}

/**
 * Estimates the number of items from the first page and the number of the last page. The estimate
 * is exact for a single page, otherwise at most one page too high. Returns null if GitHub does not
 * report the last page.
 */
function totalOf(link: string | null, firstPageItems: number): number | null {
  const lastPage = Number(linkTo(link, 'last')?.searchParams.get('page') ?? Number.NaN);
  if (Number.isInteger(lastPage) && lastPage > 1) return lastPage * PAGE_SIZE;
  return linkTo(link, 'next') === null ? firstPageItems : null;
}
