import { expect, test } from 'vitest';
import { newSession, readSession } from './session.ts';

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
