import { createHash } from 'node:crypto';
import { type Page, TrackerError } from '../trackers/index.ts';

/** Fetches the page of a listing that starts at a cursor. */
export type FetchPage<P> = (cursor: string | null, signal: AbortSignal) => Promise<P>;

/**
 * Maximum pages in a row without a new item. Some repetition is normal, for example when a listing
 * is restarted.
 */
const MAX_REPEATED_PAGES = 10;
/**
 * Additional repeated pages that are accepted for each page that had a new item. A listing that
 * changes while it is read is partly read again.
 */
const REPEATED_PAGES_PER_NEW_PAGE = 6;
/**
 * Maximum empty pages in a row. Listing the comments of a large project that has none can take
 * thousands of empty pages.
 */
const MAX_EMPTY_PAGES = 10_000;

/**
 * Iterates over the pages of a listing, from `cursor` to its end. Fetches the next page while the
 * caller processes the current one. If the caller leaves the loop early, that request is canceled.
 * @throws {TrackerError} `malformed` if the listing never ends: a page leads back to an earlier
 * page, or too many pages in a row contain no new id
 */
export async function* prefetchPages<P extends Page<unknown>>(
  fetchPage: FetchPage<P>,
  cursor: string | null,
  signal: AbortSignal,
  idOf: (item: P['items'][number]) => string,
): AsyncGenerator<P> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal, leaving.signal]);
  // `allSettled` never rejects. A plain promise could fail before anything awaits it, which would
  // be an unhandled rejection.
  const ask = (from: string | null) => Promise.allSettled([fetchPage(from, either)]);
  const behind = new Set(cursor === null ? [] : [fingerprint(cursor).toString('base64url')]);
  const watch = new NewIds();
  let asked = ask(cursor);
  try {
    for (;;) {
      const [answer] = await asked;
      if (answer.status === 'rejected') throw answer.reason;
      const page = answer.value;
      const onward = fingerprint(page.cursor).toString('base64url');
      const getsOn = watch.getsOn(page.items.map(idOf));
      if (!page.done && (behind.has(onward) || !getsOn)) throw hasNoEnd();
      behind.add(onward);
      if (!page.done) asked = ask(page.cursor);
      yield page;
      if (page.done) return;
    }
  } finally {
    leaving.abort();
    await asked;
  }
}

/** Detects a listing that repeats the same items forever, by the ids of its items. */
class NewIds {
  /**
   * 32-bit hashes of the ids, to save memory: there may be 100,000 ids. A collision matters only if
   * it affects every item of a page.
   */
  readonly #known = new Set<number>();
  #newPages = 0;
  #repeated = 0;
  #empty = 0;

  /**
   * Records the ids of a page. Returns false if too many pages in a row have contained no new id.
   */
  getsOn(ids: readonly string[]): boolean {
    this.#empty = ids.length === 0 ? this.#empty + 1 : 0;
    if (ids.length === 0) return this.#empty <= MAX_EMPTY_PAGES;
    const before = this.#known.size;
    for (const id of ids) this.#known.add(fingerprint(id).readInt32BE());
    const isNew = this.#known.size > before;
    if (isNew) this.#newPages += 1;
    this.#repeated = isNew ? 0 : this.#repeated + 1;
    return this.#repeated <= MAX_REPEATED_PAGES + REPEATED_PAGES_PER_NEW_PAGE * this.#newPages;
  }
}

function fingerprint(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hasNoEnd(): TrackerError {
  return new TrackerError(
    'malformed',
    'The tracker returned an endless listing: its pages repeat. Try again later.',
  );
}
