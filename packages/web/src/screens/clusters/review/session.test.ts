import { reviewRequest } from '@winnow/contract/cluster';
import { expect, test } from 'vitest';
import { newSession, readSession, withSkipped } from './session.ts';

test('parses a stored review, and returns null for any other text', () => {
  const session = newSession({ projects: [], probability: null }, new Date('2026-01-02T03:04:05Z'));
  expect(session.since).toBe('2026-01-02T03:04:05.000Z');
  expect(readSession(JSON.stringify(session))).toEqual(session);
  for (const text of [undefined, '', 'null', '{}', '{"reviewer":"me"}']) expect(readSession(text)).toBeNull();
});

test('gives each review a different id', () => {
  const filters = { projects: [], probability: null };
  const ids = Array.from({ length: 50 }, () => newSession(filters, new Date()).reviewer);
  expect(new Set(ids).size).toBe(50);
});

test('sends only the last 500 of 600 skipped clusters, which is the maximum of the API', () => {
  const ids = Array.from(
    { length: 600 },
    (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  );
  const started = newSession({ projects: [], probability: null }, new Date());
  const session = ids.reduce(withSkipped, started);
  expect(session.skipped).toEqual(ids.slice(100));
  expect(reviewRequest.safeParse(session).success).toBe(true);
  // Also shorten a list that was stored before the limit was introduced.
  expect(readSession(JSON.stringify({ ...started, skipped: ids }))?.skipped).toEqual(ids.slice(100));
});
