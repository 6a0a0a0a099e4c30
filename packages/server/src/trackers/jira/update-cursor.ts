import { z } from 'zod';
import { MINUTE_MS } from '../../platform/clock.ts';
import { readCursor } from '../rest/read.ts';

/**
 * Position in a project's issues, read in the order of their update times. JQL times have whole
 * minutes, and neither pages nor page tokens survive concurrent edits. So each request starts at
 * `sinceMs`, a time already reached, and issues seen before are recognized by id and time. If more
 * issues than fit on a page share a few minutes, that range of time (a stretch) is read in key
 * order. Edits do not change that order.
 */
export interface UpdateCursor {
  /** Lists issues updated at or after this time; null lists all. */
  sinceMs: number | null;
  /** Issues of the last page (id and time), which the next page may contain again. */
  seen: string[];
  /** The stretch being read in key order, which starts at `sinceMs`, or null. */
  stretch: Stretch | null;
  /**
   * Start time of the next sync if the issues of a stretch may have changed while it was read. Null
   * to start where this sync ends.
   */
  againMs: number | null;
}

export interface Stretch {
  /** The stretch contains issues updated before this time. */
  untilMs: number;
  /** The last keys read, newest last. Reading continues from one that still exists. */
  keys: string[];
  /** Number of restarts because none of `keys` existed. */
  restarts: number;
}

/** The fields of an issue that determine the position. */
export interface SeenIssue {
  id: string;
  key: string;
  updatedAt: Date;
}

/** A change may become visible up to this long after a later change. */
const OVERLAP_MS = 2 * MINUTE_MS;
/**
 * Number of items at the end of a page whose earliest update time becomes `sinceMs`. It is more
 * than one because an issue edited while the page is generated is out of order. A stretch stores
 * this number of last keys.
 */
const TAIL_ITEMS = 5;
/**
 * Maximum restarts of a stretch whose issues are edited or deleted while it is read. The next sync
 * reads it again.
 */
const MAX_RESTARTS = 3;

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

/** Parses a stored cursor. Null or an unknown format restarts from the beginning. */
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

/** Identifies one version of an issue. */
export function versionOf({ id, updatedAt }: SeenIssue): string {
  return `${id}@${updatedAt.getTime()}`;
}

/** Content of a listed page, in order. */
export interface SeenPage {
  issues: readonly SeenIssue[];
  /** True if more pages follow. */
  more: boolean;
  /**
   * Earliest instant the query covers. Differs from `sinceMs` only if a local time occurs twice.
   */
  fromMs: number | null;
  /** Jira's time of the response, or null if not reported. */
  answeredAt: Date | null;
  /** Current time by the clock of this server. */
  now: Date;
}

/**
 * Returns the next position after a page, and whether the end is reached. The position never passes
 * Jira's time or ours; otherwise later updates would be missed.
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
  const laterMs = floor(Math.min(...times.slice(-TAIL_ITEMS), latestMs) - OVERLAP_MS);
  // Issues before `sinceMs` were read before. They are listed again if a local time occurs twice.
  const passed = times.filter((ms) => ms >= (sinceMs ?? 0) && ms < laterMs).length;
  if (passed * 2 >= times.length) {
    const seen = page.issues.filter(({ updatedAt }) => updatedAt.getTime() >= laterMs).map(versionOf);
    return { next: { sinceMs: laterMs, seen, stretch: null, againMs }, done: false };
  }
  // Ends after the last listed issue, and after all issues that may be listed only because a local
  // time is ambiguous.
  const beyond = sinceMs === null ? 0 : 2 * sinceMs - (page.fromMs ?? sinceMs);
  const untilMs = floor(Math.max(beyond, times.at(-1) ?? 0)) + MINUTE_MS;
  const stretch = { untilMs, keys: [], restarts: 0 };
  return { next: { sinceMs, seen: page.issues.map(versionOf), stretch, againMs }, done: false };
}

function alongStretch(state: UpdateCursor, stretch: Stretch, page: SeenPage): UpdateCursor {
  // The page is empty because the issue it should start with was edited or deleted.
  if (page.issues.length === 0 && stretch.keys.length > 0) return recoverLostKey(state, stretch);
  if (page.more) {
    const keys = [...stretch.keys, ...page.issues.map(({ key }) => key)].slice(-TAIL_ITEMS);
    return { ...state, stretch: { ...stretch, keys } };
  }
  const isSettled =
    page.answeredAt !== null &&
    stretch.untilMs + OVERLAP_MS <= page.answeredAt.getTime() &&
    stretch.restarts <= MAX_RESTARTS;
  return leave(state, stretch, isSettled);
}

/** Continues from an earlier key, or restarts the stretch if no key is left. */
export function recoverLostKey(state: UpdateCursor, stretch: Stretch): UpdateCursor {
  const keys = stretch.keys.slice(0, -1);
  if (keys.length > 0) return { ...state, stretch: { ...stretch, keys } };
  if (stretch.restarts >= MAX_RESTARTS) return leave(state, stretch, false);
  return { ...state, stretch: { ...stretch, keys, restarts: stretch.restarts + 1 } };
}

function leave(state: UpdateCursor, stretch: Stretch, isSettled: boolean): UpdateCursor {
  const againMs = isSettled
    ? state.againMs
    : Math.min(state.againMs ?? Number.POSITIVE_INFINITY, state.sinceMs ?? 0);
  return { sinceMs: stretch.untilMs, seen: [], stretch: null, againMs };
}

/** True if a stretch made no progress: the listing returns the same page for any request. */
export function isStuck(state: UpdateCursor, next: UpdateCursor): boolean {
  const [was, is] = [state.stretch?.keys.at(-1), next.stretch?.keys.at(-1)];
  return was !== undefined && was === is && state.stretch?.keys.length === next.stretch?.keys.length;
}

function floor(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
