import type { Page } from '../trackers/provider.ts';

/** Asks for the page at a cursor. */
export type FetchPage<T> = (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;

/**
 * The pages of a listing from `cursor` on to its end. While one is worked on, the next is asked for already; who stops
 * early, or fails, takes that request back.
 */
export async function* pagesAhead<T>(
  fetchPage: FetchPage<T>,
  cursor: string | null,
  signal: AbortSignal,
): AsyncGenerator<Page<T>> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal, leaving.signal]);
  // Settled, since nobody waits for it yet when it fails.
  const ask = (from: string | null) => Promise.allSettled([fetchPage(from, either)]);
  let asked = ask(cursor);
  try {
    for (;;) {
      const [answer] = await asked;
      if (answer.status === 'rejected') throw answer.reason;
      const page = answer.value;
      if (!page.done) asked = ask(page.cursor);
      yield page;
      if (page.done) return;
    }
  } finally {
    leaving.abort();
    await asked;
  }
}
