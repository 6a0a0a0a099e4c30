import { z } from 'zod';
import { readCursor } from './read.ts';

/**
 * Where a walk through a listing sorted by time of update stands.
 *
 * The walk moves `since` along with the times it has seen instead of counting pages, so an issue that is edited
 * meanwhile, which jumps to the end of the listing, shifts nothing past it. Only where too many items share a few
 * seconds does it count: then each window begins a little before the end of the last one and must show an item seen
 * there, or that stretch is read again.
 */
export interface WalkState {
  /** Items updated at or after this are listed; null lists all. Always as old as the newest seen less the overlap. */
  since: string | null;
  /** How many items of the listing that begins at `since` are behind us. */
  offset: number;
  /** The last items before `offset` (id and time), for the check that the listing has not shifted. */
  tail: string[];
  /** Whether an edit may have landed before `offset` unseen; the next sync then reads this stretch again. */
  unsure: boolean;
  /** How often the listing at `since` was begun anew. */
  restarts: number;
  /** The ETag of the window at `offset`, when it was the last one; nothing is new while it still holds. */
  etag: string | null;
}

/** One request of the walk: a page number and a page size. */
export interface Window {
  page: number;
  size: number;
}

/** What the walk needs to know of one item it was given. */
export interface WalkItem {
  id: string;
  updatedAt: Date;
}

const PAGE_SIZE = 100;
/** Times are whole seconds, and a change may become visible a little after a later one. */
const OVERLAP_MS = 5_000;
/** How many items two windows share, and how many at the end of a page have a say in where `since` goes. */
const TAIL = 5;
/** Past so many items `since` moves on even if much is read again: GitHub counts no further than 10 000. */
const FAR_OFFSET = 5_000;
/** After so many, an order that changes with every request is put up with until the next sync. */
const MOST_RESTARTS = 5;

const START: WalkState = { since: null, offset: 0, tail: [], unsure: false, restarts: 0, etag: null };

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

/** Reads a stored cursor. Null, and anything that is not one of ours, starts from the beginning. */
export function parseCursor(cursor: string | null): WalkState {
  return readCursor(stored, START, cursor);
}

/** The cursor to store; the parts that say nothing are left out. */
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
 * The page to ask for next: the first one, or the one that begins at least five items before `offset` and reaches
 * furthest beyond it.
 */
export function windowAt(offset: number): Window {
  if (offset === 0) return { page: 1, size: PAGE_SIZE };
  const start = Math.max(0, offset - TAIL);
  let best: Window = { page: 1, size: PAGE_SIZE };
  for (let size = PAGE_SIZE; size > TAIL; size -= 1) {
    const page = Math.floor(start / size) + 1;
    if (page * size > best.page * best.size) best = { page, size };
  }
  return best;
}

/**
 * Where the walk goes after a window was answered with `items` in the order they came, and whether that was the end.
 * `more` is whether the tracker says that another page follows, `answeredAt` the tracker's own time, and `now` ours. The
 * walk never goes past either of them: what is updated from now on would not be listed.
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
  if (!linked && restarts < MOST_RESTARTS) {
    return { next: { ...START, since, restarts: restarts + 1 }, done: false };
  }
  const unsure = state.unsure || !linked;
  if (!answer.more && items.length < window.size) {
    const next = unsure ? { ...START, since } : { ...state, etag: answer.etag };
    const isPastNow = since !== null && Date.parse(since) > latestMs;
    return { next: isPastNow ? { ...START, since: sinceOf(latestMs - OVERLAP_MS) } : next, done: true };
  }
  const end = window.page * window.size;
  const later = laterSince(state, items, end, latestMs);
  if (later !== null) return { next: { ...START, since: later }, done: false };
  const tail = items.slice(-TAIL).map(versionOf);
  const next = {
    ...state,
    offset: end,
    tail,
    unsure: unsure || !isSettled(items, answer.answeredAt),
    etag: null,
  };
  return { next, done: false };
}

/** Whether a full window ended as the one before it did: a listing that gives the same page whatever is asked for. */
export function isStuck(state: WalkState, next: WalkState): boolean {
  return state.offset > 0 && next.offset > state.offset && next.tail.join() === state.tail.join();
}

/**
 * Whether nothing moved from behind `offset` to before it: one of the last items seen is unchanged and no further back
 * than it was, so all that follows it now came after it then.
 */
function isLinked(state: WalkState, window: Window, items: readonly WalkItem[]): boolean {
  const shared = items.slice(0, state.offset - (window.page - 1) * window.size);
  return shared.some((item) => state.tail.includes(versionOf(item)));
}

/** Whether all items are so old that what is edited from now on comes behind them, not among them. */
function isSettled(items: readonly WalkItem[], answeredAt: Date | null): boolean {
  if (answeredAt === null) return false;
  const settledMs = answeredAt.getTime() - OVERLAP_MS;
  return items.every(({ updatedAt }) => updatedAt.getTime() < settledMs);
}

function versionOf({ id, updatedAt }: WalkItem): string {
  return `${id}@${updatedAt.getTime() / 1000}`;
}

/** The `since` to go on from, or null when moving it would mean to read most of this window again. */
function laterSince(
  state: WalkState,
  items: readonly WalkItem[],
  end: number,
  latestMs: number,
): string | null {
  // An item edited while the page was made carries its new time at its old place; five of them at the end do not.
  const lastTimes = items.slice(-TAIL).map((item) => item.updatedAt.getTime());
  if (lastTimes.length === 0) return null;
  const sinceMs = Math.floor((Math.min(...lastTimes, latestMs) - OVERLAP_MS) / 1000) * 1000;
  if (state.since !== null && sinceMs <= Date.parse(state.since)) return null;
  const behind = items.filter((item) => item.updatedAt.getTime() < sinceMs).length;
  if (behind * 2 < items.length && end < FAR_OFFSET) return null;
  return sinceOf(sinceMs);
}

function sinceOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
