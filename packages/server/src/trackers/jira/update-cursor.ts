import { z } from 'zod';
import { MINUTE_MS } from '../../platform/clock.ts';
import { readCursor } from '../rest/read.ts';

/**
 * Position in the listing of a project's issues, sorted by update time.
 *
 * JQL knows only whole minutes, and edits during the sync shift pages and invalidate page tokens.
 * So each request searches from `sinceMs`, a time already reached. Issues that it returns again are
 * recognized by their id and update time.
 *
 * If more issues than fit on a page were updated within a few minutes, that time range (a stretch)
 * is read in key order instead. Edits do not change the order of keys.
 */
export interface UpdateCursor {
  /** The next request lists issues updated at or after this time. Null: lists all issues. */
  sinceMs: number | null;
  /** Issues of the previous page (id and update time). The next page may contain them again. */
  seen: string[];
  /** Time range that is being read in key order. It starts at `sinceMs`. Null outside a stretch. */
  stretch: Stretch | null;
  /**
   * Start time of the next sync if issues of a stretch may have changed while it was read. Null:
   * the next sync starts at the position where this sync ends.
   */
  againMs: number | null;
}

export interface Stretch {
  /** End of the time range: the stretch contains issues updated before this time. */
  untilMs: number;
  /**
   * Keys read last, newest key at the end. Reading continues from the newest key that still exists.
   */
  keys: string[];
  /**
   * Number of times that the stretch was restarted, because all issues with these keys were gone.
   */
  restarts: number;
}

/** Fields of an issue that determine the next position. */
export interface SeenIssue {
  id: string;
  key: string;
  updatedAt: Date;
}

/**
 * Overlap of consecutive requests. Jira may show a change up to this long after it shows a later
 * change.
 */
const OVERLAP_MS = 2 * MINUTE_MS;
/**
 * Number of items at the end of a page that determine the next `sinceMs`: their earliest update
 * time. One item is not enough, because an issue edited while Jira generates the page is at the
 * wrong place. A stretch stores the same number of keys.
 */
const TAIL_ITEMS = 5;
/**
 * Maximum restarts of a stretch whose issues are edited or deleted meanwhile. Beyond it, the next
 * sync reads the stretch again.
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

/** Returns a text that identifies one version of an issue. */
export function versionOf({ id, updatedAt }: SeenIssue): string {
  return `${id}@${updatedAt.getTime()}`;
}

/** Issues of a page, in the order listed, and facts about the response. */
export interface SeenPage {
  issues: readonly SeenIssue[];
  /** True if the listing continues after this page. */
  more: boolean;
  /**
   * Earliest instant that the query includes. It is before `sinceMs` if the local time of the query
   * occurs twice.
   */
  fromMs: number | null;
  /** Time of the response by Jira's clock. Null if Jira did not report it. */
  answeredAt: Date | null;
  /** Current time by this server's clock. */
  now: Date;
}

/**
 * Returns the position after a page, and whether the listing is complete. The position never passes
 * the current time by either clock, because later updates would be missed.
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
  // Issues before `sinceMs` were read earlier. Jira lists them again if the local time of the query
  // occurs twice.
  const passed = times.filter((ms) => ms >= (sinceMs ?? 0) && ms < laterMs).length;
  if (passed * 2 >= times.length) {
    const seen = page.issues.filter(({ updatedAt }) => updatedAt.getTime() >= laterMs).map(versionOf);
    return { next: { sinceMs: laterMs, seen, stretch: null, againMs }, done: false };
  }
  // The stretch must include the last listed issue. It must also include all issues that Jira may
  // list only because a local time is ambiguous.
  const beyond = sinceMs === null ? 0 : 2 * sinceMs - (page.fromMs ?? sinceMs);
  const untilMs = floor(Math.max(beyond, times.at(-1) ?? 0)) + MINUTE_MS;
  const stretch = { untilMs, keys: [], restarts: 0 };
  return { next: { sinceMs, seen: page.issues.map(versionOf), stretch, againMs }, done: false };
}

function alongStretch(state: UpdateCursor, stretch: Stretch, page: SeenPage): UpdateCursor {
  // The page is empty because the issue that it should start with was edited or deleted.
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

/** Continues from an earlier key. Restarts the stretch if no stored key is left. */
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

/**
 * True if reading a stretch makes no progress, because Jira returns the same page for each request.
 */
export function isStuck(state: UpdateCursor, next: UpdateCursor): boolean {
  const [was, is] = [state.stretch?.keys.at(-1), next.stretch?.keys.at(-1)];
  return was !== undefined && was === is && state.stretch?.keys.length === next.stretch?.keys.length;
}

function floor(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
