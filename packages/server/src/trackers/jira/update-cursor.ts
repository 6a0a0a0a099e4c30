import { z } from 'zod';
import { readCursor } from '../rest/read.ts';

/**
 * Where a walk through a project's issues by time of update stands.
 *
 * JQL knows whole minutes only, and neither its pages nor its tokens survive an edit meanwhile. So the walk moves `sinceMs`
 * along with the times it has seen, and tells what it has seen by id and time. Where more issues than fit on a page share a
 * few minutes, that stretch is read in the order of keys, which edits do not change.
 */
export interface UpdateCursor {
  /** Issues updated at or after this are listed; null lists all. */
  sinceMs: number | null;
  /** Issues of the last page that the next lists again (id and time). */
  seen: string[];
  /** A stretch from `sinceMs` on that is read in the order of keys. */
  stretch: Stretch | null;
  /** Where the next walk is to begin, since a stretch may have changed while it was read; null for where this one ends. */
  againMs: number | null;
}

export interface Stretch {
  /** Issues updated before this belong to it. */
  untilMs: number;
  /** The last keys that were read, the newest last: it goes on from one that is still there. */
  keys: string[];
  /** How often it was begun anew because none of them was. */
  restarts: number;
}

/** What the walk needs to know of an issue. */
export interface SeenIssue {
  id: string;
  key: string;
  updatedAt: Date;
}

const MINUTE_MS = 60_000;
/** A change may become visible a little after a later one. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** How many at the end of a page have a say in where `sinceMs` goes: one edited while the page was made is out of order. */
const TAIL = 5;
/** After so many, a stretch that loses its issues is left to the next walk. */
const MOST_RESTARTS = 3;

export const START: UpdateCursor = { sinceMs: null, seen: [], stretch: null, againMs: null };

const stored = z
  .object({
    v: z.literal(1),
    sinceMs: z.int().nullable(),
    seen: z.array(z.string()).default([]),
    stretch: z
      .object({ untilMs: z.int(), keys: z.array(z.string()), restarts: z.int().min(0) })
      .nullable()
      .default(null),
    againMs: z.int().nullable().default(null),
  })
  .transform(({ v: _, ...state }) => state);

/** Reads a stored cursor. Null, and anything that is not one of ours, starts from the beginning. */
export function parseCursor(cursor: string | null): UpdateCursor {
  return readCursor(stored, START, cursor);
}

export function formatCursor(state: UpdateCursor): string {
  return JSON.stringify({
    v: 1,
    sinceMs: state.sinceMs,
    ...(state.seen.length > 0 ? { seen: state.seen } : {}),
    ...(state.stretch === null ? {} : { stretch: state.stretch }),
    ...(state.againMs === null ? {} : { againMs: state.againMs }),
  });
}

/** What tells one version of an issue from another. */
export function versionOf({ id, updatedAt }: SeenIssue): string {
  return `${id}@${updatedAt.getTime()}`;
}

/** What a page of the listing had, in the order it came. */
export interface SeenPage {
  issues: readonly SeenIssue[];
  /** Whether more follow. */
  more: boolean;
  /** The first instant the query may have listed; as `sinceMs` but where a local time occurs twice. */
  fromMs: number | null;
  /** Jira's own time; null when it did not tell. */
  answeredAt: Date | null;
  /** Ours. */
  now: Date;
}

/**
 * Where the walk goes after a page, and whether that was the end. It ends neither past Jira's time nor past ours: what is
 * updated from now on would not be listed.
 */
export function advance(state: UpdateCursor, page: SeenPage): { next: UpdateCursor; done: boolean } {
  if (state.stretch !== null) return { next: alongStretch(state, state.stretch, page), done: false };
  const { sinceMs, againMs } = state;
  const latestMs = Math.min(page.answeredAt?.getTime() ?? page.now.getTime(), page.now.getTime());
  if (!page.more) {
    const next =
      againMs === null ? { ...state, seen: page.issues.map(versionOf) } : { ...START, sinceMs: againMs };
    const isPastNow = next.sinceMs !== null && next.sinceMs > latestMs;
    return { next: isPastNow ? { ...START, sinceMs: floor(latestMs - OVERLAP_MS) } : next, done: true };
  }
  const times = page.issues.map(({ updatedAt }) => updatedAt.getTime());
  const laterMs = floor(Math.min(...times.slice(-TAIL), latestMs) - OVERLAP_MS);
  // What is before `sinceMs`, listed since a local time occurs twice, was read before.
  const passed = times.filter((ms) => ms >= (sinceMs ?? 0) && ms < laterMs).length;
  if (passed * 2 >= times.length) {
    const seen = page.issues.filter(({ updatedAt }) => updatedAt.getTime() >= laterMs).map(versionOf);
    return { next: { sinceMs: laterMs, seen, stretch: null, againMs }, done: false };
  }
  // Past the last issue listed, and past what a time that occurs twice lets the query list besides.
  const beyond = sinceMs === null ? 0 : 2 * sinceMs - (page.fromMs ?? sinceMs);
  const untilMs = floor(Math.max(beyond, times.at(-1) ?? 0)) + MINUTE_MS;
  const stretch = { untilMs, keys: [], restarts: 0 };
  return { next: { sinceMs, seen: page.issues.map(versionOf), stretch, againMs }, done: false };
}

function alongStretch(state: UpdateCursor, stretch: Stretch, page: SeenPage): UpdateCursor {
  // Nothing at all, not even the issue it went on from: that one was edited or deleted, or its key no longer counts.
  if (page.issues.length === 0 && stretch.keys.length > 0) return lost(state, stretch);
  if (page.more) {
    const keys = [...stretch.keys, ...page.issues.map(({ key }) => key)].slice(-TAIL);
    return { ...state, stretch: { ...stretch, keys } };
  }
  const isSettled =
    page.answeredAt !== null &&
    stretch.untilMs + OVERLAP_MS <= page.answeredAt.getTime() &&
    stretch.restarts <= MOST_RESTARTS;
  return leave(state, stretch, isSettled);
}

/** Goes on from the key before, or begins the stretch anew. */
export function lost(state: UpdateCursor, stretch: Stretch): UpdateCursor {
  const keys = stretch.keys.slice(0, -1);
  if (keys.length > 0) return { ...state, stretch: { ...stretch, keys } };
  if (stretch.restarts >= MOST_RESTARTS) return leave(state, stretch, false);
  return { ...state, stretch: { ...stretch, keys, restarts: stretch.restarts + 1 } };
}

function leave(state: UpdateCursor, stretch: Stretch, isSettled: boolean): UpdateCursor {
  const againMs = isSettled
    ? state.againMs
    : Math.min(state.againMs ?? Number.POSITIVE_INFINITY, state.sinceMs ?? 0);
  return { sinceMs: stretch.untilMs, seen: [], stretch: null, againMs };
}

/** Whether a stretch stands where it stood: a listing that gives the same page whatever is asked for. */
export function isStuck(state: UpdateCursor, next: UpdateCursor): boolean {
  const [was, is] = [state.stretch?.keys.at(-1), next.stretch?.keys.at(-1)];
  return was !== undefined && was === is && state.stretch?.keys.length === next.stretch?.keys.length;
}

function floor(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
