import { z } from 'zod';
import type { Page } from '../provider.ts';
import { readCursor } from '../rest/read.ts';
import type { Place } from './store.ts';

/** Page size, small enough that a sync of the sample shows progress. */
export const PAGE_SIZE = 50;

const storedPlace = z
  .object({ v: z.literal(1), at: z.iso.datetime(), id: z.string() })
  .transform(({ at, id }): Place => ({ at: new Date(at), id }));

/**
 * Builds a page of the `total` items after `from`. Its cursor is the position of the last item.
 */
export function pageOf<T extends { externalId: string; updatedAt: Date }>(
  items: T[],
  from: Place | null,
  total: number,
): Page<T> {
  const last = items.at(-1);
  const place = last === undefined ? from : { at: last.updatedAt, id: last.externalId };
  const cursor = place === null ? '' : JSON.stringify({ v: 1, at: place.at.toISOString(), id: place.id });
  return { items, cursor, done: items.length < PAGE_SIZE, total };
}

/** Parses a stored cursor. Null or an unknown format restarts from the beginning. */
export function parsePlace(cursor: string | null): Place | null {
  return readCursor<Place | null>(storedPlace, null, cursor);
}
