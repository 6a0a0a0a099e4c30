import { createHash } from 'node:crypto';
import { type Page, TrackerError } from '../trackers/provider.ts';

/** Asks for the page at a cursor. */
export type FetchPage<P> = (cursor: string | null, signal: AbortSignal) => Promise<P>;

/**
 * The pages of a listing from `cursor` on to its end. While one is worked on, the next is asked for already; who stops
 * early, or fails, takes that request back.
 * @throws {TrackerError} `malformed` when a page leads back to one that was read: the listing would go round for ever
 */
export async function* pagesAhead<P extends Page<unknown>>(
  fetchPage: FetchPage<P>,
  cursor: string | null,
  signal: AbortSignal,
): AsyncGenerator<P> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal, leaving.signal]);
  // Settled, since nobody waits for it yet when it fails.
  const ask = (from: string | null) => Promise.allSettled([fetchPage(from, either)]);
  const fingerprint = (from: string) => createHash('sha256').update(from).digest('base64url');
  const behind = new Set(cursor === null ? [] : [fingerprint(cursor)]);
  let asked = ask(cursor);
  try {
    for (;;) {
      const [answer] = await asked;
      if (answer.status === 'rejected') throw answer.reason;
      const page = answer.value;
      const onward = fingerprint(page.cursor);
      if (!page.done && behind.has(onward)) throw goesRound();
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

function goesRound(): TrackerError {
  return new TrackerError(
    'malformed',
    'The tracker gives a listing that has no end: a page of it leads back to one before. Try again in a while.',
  );
}
