import { expect, test } from 'vitest';
import { daysOf, parseSearch, problemOf, serializeSearch, withRange } from './search-params.ts';

const now = new Date('2026-03-01T23:30:00Z');
const read = (text: string) => parseSearch(new URLSearchParams(text));

test('selects the last 30 days, sorted by requests, if the URL has no parameters', () => {
  expect(read('')).toEqual({
    range: '30d',
    from: null,
    to: null,
    series: 'requests',
    sort: 'count',
    reversed: false,
  });
  expect(String(serializeSearch(read('')))).toBe('');
});

test('replaces invalid values with defaults, and ignores dates unless the range is custom', () => {
  expect(read('range=forever&series=none&sort=me&reversed=1')).toEqual(read(''));
  expect(read('range=7d&from=2026-01-01')).toMatchObject({ range: '7d', from: null });
  expect(read('range=custom&from=2026-02-30&to=2026-02-03')).toMatchObject({ from: null, to: '2026-02-03' });
});

test('serializes a search so that it can be parsed again, and keeps unrelated parameters', () => {
  const text = 'range=custom&from=2026-01-02&to=2026-01-31&series=cost&sort=p95_ms&reversed=true';
  expect(String(serializeSearch(read(text)))).toBe(text);
  expect(String(serializeSearch(read('range=7d'), new URLSearchParams('message=hello&sort=errors')))).toBe(
    'message=hello&range=7d',
  );
});

test('returns ranges in UTC days that include today', () => {
  const days = (text: string) => daysOf(read(text), now);
  expect(days('range=7d')).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  expect(days('')).toEqual({ from: '2026-01-31', to: '2026-03-01' });
  expect(days('range=month')).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(days('range=custom&to=2026-02-01')).toEqual({ to: '2026-02-01' });
});

test('starts a custom range with the displayed days, and removes the days for any other range', () => {
  const custom = withRange(read('range=7d&series=calls'), 'custom', now);
  expect(custom).toMatchObject({ range: 'custom', from: '2026-02-23', to: '2026-03-01', series: 'calls' });
  expect(withRange(custom, '90d', now)).toMatchObject({ range: '90d', from: null, to: null });
});

test.each([
  [{ from: '2026-02-02', to: '2026-02-01' }, 'from', 'The start date is after the end date.'],
  [{ from: '2026-03-02' }, 'from', 'The start date is after the end date.'],
  [{ to: '2026-03-02' }, 'to', 'The end date is in the future.'],
  [{ from: '2019-04-10' }, 'from', 'These are 2,518 days. Choose at most 400.'],
])('rejects the range %j with an error at `%s`', (days, field, words) => {
  expect(problemOf(days, now)).toEqual({ field, sentence: expect.stringContaining(words) });
});

test.each([
  {},
  { to: '2026-03-01' },
  { from: '2026-03-01', to: '2026-03-01' },
  { from: '2025-01-26', to: '2026-03-01' },
])('accepts the range %j', (days) => {
  expect(problemOf(days, now)).toBeNull();
});
