import { reviewRequest } from '@winnow/contract/cluster';
import { expect, test } from 'vitest';
import { newSession, readSession, withSkipped } from './session.ts';

test('a stored review is read again, and anything else counts as none', () => {
  const session = newSession({ projects: [], probability: null }, new Date('2026-01-02T03:04:05Z'));
  expect(session.since).toBe('2026-01-02T03:04:05.000Z');
  expect(readSession(JSON.stringify(session))).toEqual(session);
  for (const text of [undefined, '', 'null', '{}', '{"reviewer":"me"}']) expect(readSession(text)).toBeNull();
});

test('each review has another id', () => {
  const filters = { projects: [], probability: null };
  const ids = Array.from({ length: 50 }, () => newSession(filters, new Date()).reviewer);
  expect(new Set(ids).size).toBe(50);
});

test('a review that skipped 600 clusters sends the last 500, which the API accepts', () => {
  const ids = Array.from(
    { length: 600 },
    (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  );
  const started = newSession({ projects: [], probability: null }, new Date());
  const session = ids.reduce(withSkipped, started);
  expect(session.skipped).toEqual(ids.slice(100));
  expect(reviewRequest.safeParse(session).success).toBe(true);
  // Stored before the limit.
  expect(readSession(JSON.stringify({ ...started, skipped: ids }))?.skipped).toEqual(ids.slice(100));
});
