import { z } from 'zod';
import { readCursor } from './read.ts';

/**
 * Position in a listing sorted by update time, oldest first. Each request starts at `since`, a time
 * already reached, so no pages are counted. An item that is edited meanwhile moves to the end of
 * the listing, which does not shift the items after `since`.
 *
 * If too many items share a few seconds, pages after `since` are counted. Each page then overlaps
 * the previous page. If it contains none of the same items, the listing has shifted, and reading
 * starts again at `since`.
 */
export interface WalkState {
  /**
   * The next request lists items updated at or after this time. It is `OVERLAP_MS` earlier than the
   * newest item read. Null: lists all items.
   */
  since: string | null;
  /** Number of items after `since` that are already read. */
  offset: number;
  /** The last items read (id and update time), to detect that the listing has shifted. */
  tail: string[];
  /**
   * True if an edit may have moved an unread item before `offset`. The next sync then starts at
   * `since` again.
   */
  unsure: boolean;
  /** Number of times that reading was restarted at `since`. */
  restarts: number;
  /** ETag of the last page. If the tracker reports no change for it, nothing is new. */
  etag: string | null;
}

/** One request: page number and page size. */
export interface Window {
  page: number;
  size: number;
}

/** Fields of an item that determine the next position. */
export interface WalkItem {
  id: string;
  updatedAt: Date;
}

const PAGE_SIZE = 100;
/**
 * Time in ms by which `since` is earlier than the newest item read. Times have whole seconds, and a
 * change may become visible shortly after a later change.
 */
const OVERLAP_MS = 5_000;
/**
 * Number of items that two consecutive pages share. The update times of this many last items
 * determine `since`.
 */
const TAIL_ITEMS = 5;
/**
 * Maximum offset, because GitHub lists at most 10,000 items. Beyond it, `since` advances even if
 * many items are then read again.
 */
const MAX_OFFSET = 5_000;
/**
 * Maximum restarts. Beyond it, this sync continues although the order is unstable, and the next
 * sync starts at `since` again.
 */
const MAX_RESTARTS = 5;

const START_STATE: WalkState = { since: null, offset: 0, tail: [], unsure: false, restarts: 0, etag: null };

const stored = z
  .object({
    v: z.literal(1),
    since: z.iso.datetime().nullable(),
    offset: z.int().min(0).default(0),
    tail: z.array(z.string()).default([]),
    unsure: z.boolean().default(false),
    restarts: z.int().min(0).default(0),
    etag: z.string().nullable().default(null),
  })
  .transform(({ v: _, ...state }) => state);

/** Parses a stored cursor. Null or an unknown format restarts from the beginning. */
export function parseCursor(cursor: string | null): WalkState {
  return readCursor(stored, START_STATE, cursor);
}

/** Serializes the cursor. Default values are omitted. */
export function formatCursor(state: WalkState): string {
  return JSON.stringify({
    v: 1,
    since: state.since,
    ...(state.offset > 0 ? { offset: state.offset, tail: state.tail } : {}),
    ...(state.unsure ? { unsure: true } : {}),
    ...(state.restarts > 0 ? { restarts: state.restarts } : {}),
    ...(state.etag === null ? {} : { etag: state.etag }),
  });
}

/**
 * Returns the page to request next. It begins at least five items before `offset`, and of all such
 * pages it extends furthest beyond `offset`.
 */
export function windowAt(offset: number): Window {
  if (offset === 0) return { page: 1, size: PAGE_SIZE };
  const start = Math.max(0, offset - TAIL_ITEMS);
  let best: Window = { page: 1, size: PAGE_SIZE };
  for (let size = PAGE_SIZE; size > TAIL_ITEMS; size -= 1) {
    const page = Math.floor(start / size) + 1;
    if (page * size > best.page * best.size) best = { page, size };
  }
  return best;
}

/**
 * Returns the position after a page, and whether the listing is complete. `more` is true if the
 * tracker announces another page.
 *
 * `answeredAt` is the time of the response by the tracker's clock, and `now` by ours. The position
 * never passes either time, because later updates would be missed.
 */
export function advance(
  state: WalkState,
  items: readonly WalkItem[],
  answer: { more: boolean; etag: string | null; answeredAt: Date | null; now: Date },
): { next: WalkState; done: boolean } {
  const latestMs = Math.min(answer.answeredAt?.getTime() ?? answer.now.getTime(), answer.now.getTime());
  const { since, offset, restarts } = state;
  const window = windowAt(offset);
  const linked = offset === 0 || isLinked(state, window, items);
  if (!linked && restarts < MAX_RESTARTS) {
    return { next: { ...START_STATE, since, restarts: restarts + 1 }, done: false };
  }
  const unsure = state.unsure || !linked;
  if (!answer.more && items.length < window.size) {
    const next = unsure ? { ...START_STATE, since } : { ...state, etag: answer.etag };
    const isPastNow = since !== null && Date.parse(since) > latestMs;
    return { next: isPastNow ? { ...START_STATE, since: sinceOf(latestMs - OVERLAP_MS) } : next, done: true };
  }
  const end = window.page * window.size;
  const later = laterSince(state, items, end, latestMs);
  if (later !== null) return { next: { ...START_STATE, since: later }, done: false };
  const tail = items.slice(-TAIL_ITEMS).map(versionOf);
  const next = {
    ...state,
    offset: end,
    tail,
    unsure: unsure || !isSettled(items, answer.answeredAt),
    etag: null,
  };
  return { next, done: false };
}

/**
 * True if a full page ends with the same items as the previous page. The tracker then returns the
 * same page for each request.
 */
export function isStuck(state: WalkState, next: WalkState): boolean {
  return state.offset > 0 && next.offset > state.offset && next.tail.join() === state.tail.join();
}

/**
 * True if no unread item has moved to a position before `offset`. This is certain if one of the
 * last items read is unchanged and still before `offset`.
 */
function isLinked(state: WalkState, window: Window, items: readonly WalkItem[]): boolean {
  const shared = items.slice(0, state.offset - (window.page - 1) * window.size);
  return shared.some((item) => state.tail.includes(versionOf(item)));
}

/** True if all items are so old that an item edited later is listed after them. */
function isSettled(items: readonly WalkItem[], answeredAt: Date | null): boolean {
  if (answeredAt === null) return false;
  const settledMs = answeredAt.getTime() - OVERLAP_MS;
  return items.every(({ updatedAt }) => updatedAt.getTime() < settledMs);
}

function versionOf({ id, updatedAt }: WalkItem): string {
  return `${id}@${updatedAt.getTime() / 1000}`;
}

/**
 * Returns the next `since`. Returns null if advancing it would read most items of this page again.
 */
function laterSince(
  state: WalkState,
  items: readonly WalkItem[],
  end: number,
  latestMs: number,
): string | null {
  // An item edited while the tracker generates the page is at its old place with its new time. It
  // is very unlikely that all the last items are like that, so the earliest of their times is safe.
  const lastTimes = items.slice(-TAIL_ITEMS).map((item) => item.updatedAt.getTime());
  if (lastTimes.length === 0) return null;
  const sinceMs = Math.floor((Math.min(...lastTimes, latestMs) - OVERLAP_MS) / 1000) * 1000;
  if (state.since !== null && sinceMs <= Date.parse(state.since)) return null;
  const behind = items.filter((item) => item.updatedAt.getTime() < sinceMs).length;
  if (behind * 2 < items.length && end < MAX_OFFSET) return null;
  return sinceOf(sinceMs);
}

function sinceOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
