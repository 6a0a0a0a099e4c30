import { expect, test } from 'vitest';
import { AppError, conflict, invalid, notFound, rateLimited, unavailable, upstreamFailed } from './errors.ts';

test('shows only the first line of an upstream message, shortened and without control characters', () => {
  const said = `\n\u001b[31mBad credentials\u0007 ${'x'.repeat(400)}\r\nAuthorization: Bearer secret\n  at stack`;
  const error = upstreamFailed(said, new Error('cause'));
  expect(error.detail).toMatch(/^\[31mBad credentials x+…$/);
  expect(error.detail).toHaveLength(300);
  expect(error.category).toBe('upstream_failed');
  expect(upstreamFailed(' \n ').detail).toBe('The remote system failed without giving a reason.');
});

test('not-found errors are identical', () => {
  expect(JSON.stringify(notFound())).toBe(JSON.stringify(notFound()));
  expect(notFound()).toMatchObject({ category: 'not_found', code: 'not_found', detail: 'Not found.' });
});

test('a retry delay is at least one second', () => {
  expect(rateLimited(0.2)).toMatchObject({
    retryAfterSeconds: 1,
    detail: expect.stringContaining('1 second.'),
  });
  expect(rateLimited(2.1)).toMatchObject({
    retryAfterSeconds: 3,
    detail: expect.stringContaining('3 seconds.'),
  });
  expect(unavailable().retryAfterSeconds).toBe(5);
});

test('names invalid fields in the sentence', () => {
  expect(invalid([{ path: 'name', message: 'Too short.' }]).detail).toBe('name: Too short.');
  expect(invalid([{ path: '', message: 'Unknown key.' }]).detail).toBe('Unknown key.');
  const many = invalid([
    { path: 'a', message: 'x' },
    { path: 'b.0', message: 'y' },
    { path: 'b.0', message: 'z' },
  ]);
  expect(many.detail).toBe('These fields are not valid: a, b.0.');
  expect(many.fields).toHaveLength(3);
});

test('keeps a cause for the log, and omits absent details', () => {
  const cause = new Error('why');
  const error = new AppError({ code: 'c', category: 'internal', detail: 'd', cause });
  expect(error.cause).toBe(cause);
  expect(conflict('taken', 'Taken.')).not.toHaveProperty('fields');
  expect(conflict('taken', 'Taken.')).not.toHaveProperty('cause');
});
