import { z } from 'zod';
import type { Page } from '../provider.ts';
import { readCursor } from '../rest/read.ts';
import type { CursorPosition } from './store.ts';

/** Page size. It is small, so that a sync of the sample shows some progress. */
export const PAGE_SIZE = 50;

const storedPosition = z
  .object({ v: z.literal(1), at: z.iso.datetime(), id: z.string() })
  .transform(({ at, id }): CursorPosition => ({ at: new Date(at), id }));

/**
 * Creates a page that starts after position `from`. `total` is the number of items from there on.
 * The page's cursor is the position of its last item.
 */
export function pageOf<T extends { externalId: string; updatedAt: Date }>(
  items: T[],
  from: CursorPosition | null,
  total: number,
): Page<T> {
  const last = items.at(-1);
  const position = last === undefined ? from : { at: last.updatedAt, id: last.externalId };
  const cursor =
    position === null ? '' : JSON.stringify({ v: 1, at: position.at.toISOString(), id: position.id });
  return { items, cursor, done: items.length < PAGE_SIZE, total };
}

/** Parses a stored cursor. Null or an unknown format restarts from the beginning. */
export function parseCursor(cursor: string | null): CursorPosition | null {
  return readCursor<CursorPosition | null>(storedPosition, null, cursor);
}
