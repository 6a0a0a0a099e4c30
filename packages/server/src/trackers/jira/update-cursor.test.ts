import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advance,
  formatCursor,
  parseCursor,
  recoverLostKey,
  type SeenIssue,
  type SeenPage,
  START,
  type UpdateCursor,
  versionOf,
} from './update-cursor.ts';

const EPOCH_MS = Date.UTC(2024, 0, 1);
const PAGE = 10;

/**
 * Emulates JQL search: times in whole minutes, and pages counted from the beginning. A query that
 * starts at a deleted key finds nothing.
 */
class Listing {
  readonly updated = new Map<number, number>();
  nowMs = EPOCH_MS + 3_600_000;
  readonly isCloud: boolean;

  /**
   * Chooses the response to a query that starts at a deleted key. Cloud returns no issues, and Data
   * Center refuses the query.
   */
  constructor(isCloud = true) {
    this.isCloud = isCloud;
  }

  page(state: UpdateCursor): { page: SeenPage; issues: SeenIssue[] } | null {
    const { sinceMs, stretch } = state;
    const after = stretch?.keys.at(-1);
    const number = after === undefined ? 0 : Number(after.slice(2));
    const isGone = after !== undefined && !this.updated.has(number);
    if (isGone && !this.isCloud) return null;
    const listed = [...this.updated]
      .filter(([, ms]) => !isGone && (sinceMs === null || ms >= sinceMs))
      .filter(([key, ms]) => stretch === null || (ms < stretch.untilMs && key >= number))
      .sort(([a, aMs], [b, bMs]) => (stretch === null ? aMs - bMs || a - b : a - b))
      .map(([key, ms]): SeenIssue => ({ id: `${key}`, key: `W-${key}`, updatedAt: new Date(ms) }));
    const issues = listed.slice(0, PAGE);
    const answeredAt = new Date(this.nowMs);
    return {
      issues,
      page: { issues, more: listed.length > PAGE, fromMs: sinceMs, answeredAt, now: answeredAt },
    };
  }
}

/**
 * Reads the listing to its end and stores the newest version of each issue in `known`. Calls
 * `between` after every page.
 */
function walkOn(
  listing: Listing,
  from: UpdateCursor,
  known: Map<string, string>,
  between: () => void = () => undefined,
): UpdateCursor {
  let state = from;
  for (let pages = 0; pages < 2000; pages += 1) {
    const found = listing.page(state);
    if (found === null) {
      state = state.stretch === null ? state : recoverLostKey(state, state.stretch);
      continue;
    }
    for (const issue of found.issues) {
      if (!state.seen.includes(versionOf(issue))) known.set(issue.id, versionOf(issue));
    }
    const { next, done } = advance(state, found.page);
    state = parseCursor(formatCursor(next));
    if (done) return state;
    between();
  }
  throw new Error('The walk does not end.');
}

const versions = (listing: Listing) =>
  new Map([...listing.updated].map(([key, ms]) => [`${key}`, `${key}@${ms}`]));

describe('a walk by update time', () => {
  const edit = fc.record({
    kind: fc.constantFrom('touch', 'add', 'delete'),
    which: fc.nat(),
    passMs: fc.constantFrom(0, 1, 500, 20_000, 70_000),
  });
  const seed = fc.array(fc.integer({ min: 0, max: 3_500_000 }), { maxLength: 80 });
  const dense = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 80 });

  test('misses no final version, whatever is edited, added or deleted between its pages', () => {
    fc.assert(
      fc.property(
        fc.oneof(seed, dense),
        fc.array(edit, { maxLength: 60 }),
        fc.boolean(),
        (offsets, edits, isCloud) => {
          const listing = new Listing(isCloud);
          for (const [index, offset] of offsets.entries()) listing.updated.set(index + 1, EPOCH_MS + offset);
          const known = new Map<string, string>();
          const script = [...edits];
          const between = () => {
            const next = script.shift();
            if (next === undefined) return;
            listing.nowMs += next.passMs;
            const keys = [...listing.updated.keys()];
            const key = keys[next.which % Math.max(1, keys.length)];
            if (next.kind === 'add') listing.updated.set((keys.at(-1) ?? 0) + 1, listing.nowMs);
            else if (key !== undefined && next.kind === 'touch') listing.updated.set(key, listing.nowMs);
            else if (key !== undefined) listing.updated.delete(key);
          };
          let state = walkOn(listing, START, known, between);
          // After the edits have stopped, the next sync must find all remaining changes.
          listing.nowMs += 600_000;
          state = walkOn(listing, state, known);
          for (const [id, version] of versions(listing)) expect(known.get(id)).toBe(version);
          listing.nowMs += 600_000;
          state = walkOn(listing, state, new Map());
          const again = new Map<string, string>();
          expect(walkOn(listing, state, again)).toEqual(state);
          expect(again.size).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('misses nothing next to issues dated in the far future, and recovers from a cursor in the future', () => {
    const listing = new Listing();
    for (let key = 1; key <= 5; key += 1) listing.updated.set(key, EPOCH_MS + key * 60_000);
    for (let key = 6; key <= 30; key += 1) listing.updated.set(key, EPOCH_MS + (1_000_000 + key) * 60_000);
    const begun = walkOn(listing, START, new Map());
    for (const state of [begun, walkOn(listing, { ...START, sinceMs: 2 * EPOCH_MS }, new Map())]) {
      listing.nowMs += 60_000;
      listing.updated.set(2, listing.nowMs);
      const seen = new Map<string, string>();
      walkOn(listing, state, seen);
      expect(seen.get('2')).toBe(`2@${listing.nowMs}`);
    }
  });

  test('of a busy project needs about one request per page', () => {
    const listing = new Listing();
    for (let key = 1; key <= 500; key += 1) listing.updated.set(key, EPOCH_MS + key * 60_000);
    listing.nowMs = EPOCH_MS + 600 * 60_000;
    let pages = 0;
    walkOn(listing, START, new Map(), () => {
      pages += 1;
    });
    // A page has ten items. Three repeat the previous page, and five determine the next start. So
    // each page adds few new items.
    expect(pages).toBeLessThan(500);
  });
});

describe('a stored cursor', () => {
  test.each([['not json'], ['{}'], ['{"v":2,"sinceMs":null}'], ['{"v":1,"sinceMs":"x"}'], ['[]'], ['']])(
    'that is unreadable (%s) restarts from the beginning',
    (text) => {
      expect(parseCursor(text)).toEqual(START);
    },
  );

  test('is unchanged by formatting and parsing', () => {
    const state: UpdateCursor = {
      sinceMs: EPOCH_MS,
      seen: ['1@2'],
      stretch: { untilMs: EPOCH_MS + 60_000, keys: ['W-1'], restarts: 1 },
      againMs: EPOCH_MS,
    };
    expect(parseCursor(formatCursor(state))).toEqual(state);
  });
});
