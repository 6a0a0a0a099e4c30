import { createHash } from 'node:crypto';
import { type Page, TrackerError } from '../trackers/provider.ts';

/** Asks for the page at a cursor. */
export type FetchPage<P> = (cursor: string | null, signal: AbortSignal) => Promise<P>;

/** Pages in a row with nothing but items that were read, which a listing that is begun anew has… */
const MOST_REPEATED_PAGES = 10;
/** …and so many more for each page that had a new one: a stretch that changes while it is read is read again. */
const REPEATED_FOR_A_NEW_PAGE = 6;
/** Pages in a row without any item: of a million issues nobody commented on, say. */
const MOST_EMPTY_PAGES = 10_000;

/**
 * The pages of a listing from `cursor` on to its end. While one is worked on, the next is asked for already; who stops
 * early, or fails, takes that request back.
 * @throws {TrackerError} `malformed` for a listing that would go on for ever: a page leads back to one that was read, or
 * nothing new comes for many pages, by `idOf`
 */
export async function* pagesAhead<P extends Page<unknown>>(
  fetchPage: FetchPage<P>,
  cursor: string | null,
  signal: AbortSignal,
  idOf: (item: P['items'][number]) => string,
): AsyncGenerator<P> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal, leaving.signal]);
  // Settled, since nobody waits for it yet when it fails.
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

/** Tells a listing that gets on from one that shows the same for ever, by the ids of its items. */
class NewIds {
  /** Of a hundred thousand ids, so as numbers. That two share one matters only if all of a page do. */
  readonly #known = new Set<number>();
  #newPages = 0;
  #repeated = 0;
  #empty = 0;

  /** Takes a page; false when nothing new has come for too long. */
  getsOn(ids: readonly string[]): boolean {
    this.#empty = ids.length === 0 ? this.#empty + 1 : 0;
    if (ids.length === 0) return this.#empty <= MOST_EMPTY_PAGES;
    const before = this.#known.size;
    for (const id of ids) this.#known.add(fingerprint(id).readInt32BE());
    const isNew = this.#known.size > before;
    if (isNew) this.#newPages += 1;
    this.#repeated = isNew ? 0 : this.#repeated + 1;
    return this.#repeated <= MOST_REPEATED_PAGES + REPEATED_FOR_A_NEW_PAGE * this.#newPages;
  }
}

function fingerprint(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hasNoEnd(): TrackerError {
  return new TrackerError(
    'malformed',
    'The tracker gives a listing that has no end: its pages show the same again. Try again in a while.',
  );
}
