import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, formatCursor, isStuck, parseCursor, type WalkItem, windowAt } from './update-walk.ts';

const EPOCH_S = 1_700_000_000;

/** Emulates GitHub's listing: numbered pages sorted by update time, with times in whole seconds. */
class Listing {
  readonly times = new Map<string, number>();
  nowS = 10_000;
  /** Seconds by which the tracker's clock is ahead of ours. */
  aheadS = 0;
  requests = 0;

  touch(id: string): void {
    this.times.set(id, this.nowS);
  }

  /**
   * Returns a page. The issue `editedMidway` is edited after the page was sorted, so it is listed
   * at its old place with its new time.
   */
  window(since: string | null, page: number, size: number, editedMidway: number | null) {
    this.requests += 1;
    const sinceS = since === null ? 0 : Date.parse(since) / 1000 - EPOCH_S;
    const listed = [...this.times]
      .filter(([, atS]) => atS >= sinceS)
      .sort(([a, aS], [b, bS]) => aS - bS || a.localeCompare(b))
      .map(([id]) => id);
    const ids = listed.slice((page - 1) * size, page * size);
    const edited = editedMidway === null ? undefined : ids[editedMidway % Math.max(1, ids.length)];
    if (edited !== undefined) this.touch(edited);
    const items = ids.map((id) => ({ id, updatedAt: timeOf(this.times.get(id) ?? 0) }));
    return {
      items,
      answeredAt: timeOf(this.nowS),
      now: timeOf(this.nowS - this.aheadS),
      more: listed.length > page * size,
      etag: JSON.stringify([items, listed.length > page * size]),
    };
  }
}

function timeOf(seconds: number): Date {
  return new Date((EPOCH_S + seconds) * 1000);
}

/**
 * Reads the listing from `cursor` to its end. Records the newest version of each item. Calls
 * `between` after each page.
 */
function walkToEnd(
  listing: Listing,
  cursor: string | null,
  seen: Map<string, number>,
  between: (step: number) => { editedMidway: number | null } = () => ({ editedMidway: null }),
): string {
  let current = cursor;
  for (let step = 0; step < 2_000; step += 1) {
    const state = parseCursor(current);
    const { page, size } = windowAt(state.offset);
    const { editedMidway } = between(step);
    const answer = listing.window(state.since, page, size, editedMidway);
    if (state.etag !== null && state.etag === answer.etag) return formatCursor(state);
    for (const item of answer.items) seen.set(item.id, item.updatedAt.getTime());
    const { next, done } = advance(state, answer.items, answer);
    current = formatCursor(next);
    if (done) return current;
  }
  throw new Error('The walk does not end.');
}

function versions(listing: Listing): Map<string, number> {
  return new Map([...listing.times].map(([id, atS]) => [id, timeOf(atS).getTime()]));
}

const edit = fc.record({
  victims: fc.array(fc.nat(), { maxLength: 12 }),
  added: fc.nat({ max: 3 }),
  seconds: fc.nat({ max: 2 }),
  midway: fc.option(fc.nat(), { freq: 2, nil: null }),
});
const backlog = fc.record({
  count: fc.nat({ max: 700 }),
  /**
   * Seconds between the update times of consecutive items. With 0, all items have the same time.
   */
  secondsPerItem: fc.constantFrom(0, 0.01, 0.05, 0.3, 1, 10),
});

describe('a walk through a listing by update time', () => {
  test('skips no version of an item that is edited or added between or within pages', () => {
    fc.assert(
      fc.property(backlog, fc.array(edit, { maxLength: 12 }), ({ count, secondsPerItem }, edits) => {
        const listing = new Listing();
        for (let n = 0; n < count; n += 1) listing.times.set(`${n}`, Math.floor(n * secondsPerItem));
        const seen = new Map<string, number>();
        let added = 0;
        const cursor = walkToEnd(listing, null, seen, (step) => {
          const change = edits[step];
          if (change === undefined) return { editedMidway: null };
          listing.nowS += change.seconds;
          const ids = [...listing.times.keys()];
          for (const victim of change.victims) {
            const id = ids[victim % Math.max(1, ids.length)];
            if (id !== undefined) listing.touch(id);
          }
          for (let n = 0; n < change.added; n += 1) {
            added += 1;
            listing.touch(`added ${added}`);
          }
          return { editedMidway: change.midway };
        });
        // The next sync must find edits that were made during the last page.
        listing.nowS += 1;
        walkToEnd(listing, cursor, seen);
        expect(seen).toEqual(versions(listing));
      }),
      { numRuns: 300 },
    );
  });

  test('sees a later edit of any item, even among hundreds with the same second', () => {
    fc.assert(
      fc.property(backlog, fc.nat(), ({ count, secondsPerItem }, victim) => {
        fc.pre(count > 0);
        const listing = new Listing();
        for (let n = 0; n < count; n += 1) listing.times.set(`${n}`, Math.floor(n * secondsPerItem));
        const seen = new Map<string, number>();
        const cursor = walkToEnd(listing, null, seen);
        listing.touch(`${victim % count}`);
        const again = new Map<string, number>();
        walkToEnd(listing, cursor, again);
        expect(again.get(`${victim % count}`)).toBe(timeOf(listing.nowS).getTime());
      }),
      { numRuns: 100 },
    );
  });

  test('sees an edit that sorts before already counted items of the same second', () => {
    const listing = new Listing();
    for (let n = 0; n < 98; n += 1) listing.times.set(`${n}`, 0);
    for (const id of ['x', 'y', 'z']) listing.touch(id);
    const seen = new Map<string, number>();
    const cursor = walkToEnd(listing, null, seen, (step) => {
      if (step === 1) for (const id of ['0', '1', '2', '3']) listing.touch(id);
      return { editedMidway: null };
    });
    walkToEnd(listing, cursor, seen);
    expect(seen).toEqual(versions(listing));
  });

  test('costs one conditional request if nothing is new', () => {
    fc.assert(
      fc.property(backlog, ({ count, secondsPerItem }) => {
        const listing = new Listing();
        for (let n = 0; n < count; n += 1) listing.times.set(`${n}`, Math.floor(n * secondsPerItem));
        const cursor = walkToEnd(listing, null, new Map());
        listing.requests = 0;
        const seen = new Map<string, number>();
        expect(walkToEnd(listing, cursor, seen)).toBe(cursor);
        expect([listing.requests, seen.size]).toEqual([1, 0]);
      }),
      { numRuns: 100 },
    );
  });

  test('reads little twice: at most a quarter more requests than pages at any density', () => {
    for (const secondsPerItem of [0, 0.02, 0.1, 1, 60]) {
      const listing = new Listing();
      listing.nowS = 200_000;
      for (let n = 0; n < 3_000; n += 1) listing.times.set(`${n}`, Math.floor(n * secondsPerItem));
      walkToEnd(listing, null, new Map());
      expect(listing.requests).toBeLessThanOrEqual(38);
    }
  });

  test.each([
    ['equal to ours', 0],
    ['behind ours', -7_200],
    ['ahead of ours', 7_200],
  ])('misses nothing next to items dated in the far future, with a tracker clock %s', (_, aheadS) => {
    const listing = new Listing();
    listing.aheadS = aheadS;
    for (let n = 0; n < 90; n += 1) listing.times.set(`${n}`, n);
    for (let n = 90; n < 150; n += 1) listing.times.set(`${n}`, 1_000_000_000 + n);
    let cursor = walkToEnd(listing, null, new Map());
    for (const id of ['3', '100']) {
      listing.nowS += 60;
      listing.touch(id);
      const seen = new Map<string, number>();
      cursor = walkToEnd(listing, cursor, seen);
      expect(seen.get(id)).toBe(timeOf(listing.nowS).getTime());
    }
  });

  test('recovers from a cursor in the future', () => {
    const listing = new Listing();
    listing.touch('1');
    const future = formatCursor({ ...parseCursor(null), since: '2199-01-01T00:00:00Z' });
    const cursor = walkToEnd(listing, future, new Map());
    listing.nowS += 60;
    listing.touch('1');
    const seen = new Map<string, number>();
    walkToEnd(listing, cursor, seen);
    expect(seen.size).toBe(1);
  });

  test('restarts a range if none of the last items is on the next page', () => {
    const state = {
      since: null,
      offset: 100,
      tail: ['99@1', '100@1'],
      unsure: false,
      restarts: 0,
      etag: null,
    };
    const strangers: WalkItem[] = [{ id: '500', updatedAt: timeOf(1) }];
    const { next, done } = advance(state, strangers, {
      more: false,
      etag: '"x"',
      answeredAt: null,
      now: timeOf(10_000),
    });
    expect({ next, done }).toEqual({
      next: { since: null, offset: 0, tail: [], unsure: false, restarts: 1, etag: null },
      done: false,
    });
  });

  test('continues if the order changes with every request, instead of restarting forever', () => {
    const state = { since: null, offset: 100, tail: ['99@1'], unsure: false, restarts: 5, etag: null };
    const strangers: WalkItem[] = [{ id: '500', updatedAt: timeOf(1) }];
    expect(
      advance(state, strangers, { more: false, etag: null, answeredAt: null, now: timeOf(10_000) }).done,
    ).toBe(true);
  });

  test('treats a short page as the end only if no other page follows', () => {
    const items = [{ id: '1', updatedAt: timeOf(100) }];
    const start = parseCursor(null);
    expect(
      advance(start, items, { more: true, etag: null, answeredAt: null, now: timeOf(10_000) }).done,
    ).toBe(false);
    expect(
      advance(start, items, { more: false, etag: null, answeredAt: null, now: timeOf(10_000) }).done,
    ).toBe(true);
  });
});

describe('a listing that returns the same page for any request', () => {
  test.each([[100], [0]])('is detected after two pages of %i items', (count) => {
    const items = Array.from({ length: count }, (_, n) => ({ id: `${n}`, updatedAt: timeOf(0) }));
    const answer = { more: true, etag: null, answeredAt: null, now: timeOf(10_000) };
    let state = { ...parseCursor(null), since: '2024-01-01T00:00:00Z' };
    const noticed: boolean[] = [];
    for (let page = 0; page < 3; page += 1) {
      const { next } = advance({ ...state, restarts: 5 }, items, answer);
      noticed.push(isStuck(state, next));
      state = { ...next, since: state.since };
    }
    expect(noticed).toEqual([false, true, true]);
  });
});

describe('windows over a range of equal times', () => {
  test('overlap the previous window by at least five items and extend at least fifty further', () => {
    for (let offset = 100; offset <= 12_000; offset += 1) {
      const { page, size } = windowAt(offset);
      expect(size).toBeLessThanOrEqual(100);
      expect((page - 1) * size).toBeLessThanOrEqual(offset - 5);
      expect(page * size).toBeGreaterThanOrEqual(offset + 50);
    }
  });
});

describe('a stored cursor', () => {
  test.each([['not json'], ['{}'], ['{"v":2,"since":null}'], ['{"v":1,"since":"yesterday"}'], ['[]'], ['']])(
    'that is unreadable (%s) restarts from the beginning',
    (text) => {
      expect(parseCursor(text)).toEqual(parseCursor(null));
    },
  );

  test('is unchanged by formatting and parsing', () => {
    const state = {
      since: '2024-01-02T03:04:05Z',
      offset: 190,
      tail: ['a@1', 'b@2'],
      unsure: true,
      restarts: 2,
      etag: 'W/"abc"',
    };
    expect(parseCursor(formatCursor(state))).toEqual(state);
  });
});
