import { PAIRS_COUNTED } from '@winnow/contract/duplicate';
import { describe, expect, test } from 'vitest';
import { safeHref } from '../../api/safe-href.ts';
import { statusTone } from '../../features/issue-status/issue-status.ts';
import { pairsText } from '../../features/pairs/pair-texts.ts';
import { pageRange } from '../data-list/page-range.ts';
import { countText } from './count-text.ts';
import { relativeTimeText } from './relative-time-text.ts';

describe('safeHref', () => {
  test.each([
    '',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '/console',
    'not an address',
  ])('rejects %j', (address) => {
    expect(safeHref(address)).toBeNull();
  });

  test('accepts http and https', () => {
    expect(safeHref('https://github.com/a/b/issues/1')).toBe('https://github.com/a/b/issues/1');
    expect(safeHref('http://git.example/x')).toBe('http://git.example/x');
  });
});

describe('pageRange', () => {
  test('returns page 1 of 1 for an empty list', () => {
    expect(pageRange(1, 10, 0)).toEqual({ range: '0–0 of 0', position: 'Page 1 of 1', pages: 1, page: 1 });
  });

  test('limits the page to the existing ones', () => {
    expect(pageRange(99, 10, 25)).toMatchObject({ range: '21–25 of 25', position: 'Page 3 of 3' });
    expect(pageRange(-1, 10, 25)).toMatchObject({ range: '1–10 of 25', page: 1 });
  });

  test('separates thousands', () => {
    expect(pageRange(1, 10, 21_800).position).toBe('Page 1 of 2,180');
  });

  test('uses the given text for a total that is not exact', () => {
    const total = pairsText(PAIRS_COUNTED + 1);
    expect(pageRange(2, 10, PAIRS_COUNTED, total).range).toBe(`11–20 of ${total}`);
  });
});

test('a total of pairs above the counting limit is marked with +', () => {
  expect(pairsText(218)).toBe('218');
  expect(pairsText(PAIRS_COUNTED)).toBe(countText(PAIRS_COUNTED));
  expect(pairsText(PAIRS_COUNTED + 1)).toBe(`${countText(PAIRS_COUNTED)}+`);
});

describe('relativeTimeText', () => {
  const now = Date.parse('2026-03-04T12:00:00.000Z');
  test.each([
    ['2026-03-04T11:59:30.000Z', 'just now'],
    ['2026-03-04T12:00:20.000Z', 'just now'],
    ['2026-03-04T11:59:10.000Z', '1 minute ago'],
    ['2026-03-04T11:48:00.000Z', '12 minutes ago'],
    ['2026-03-04T09:30:00.000Z', '2 hours ago'],
    ['2026-03-02T11:00:00.000Z', '2 days ago'],
    ['2025-12-04T12:00:00.000Z', '3 months ago'],
    ['2024-03-04T12:00:00.000Z', '2 years ago'],
    ['2026-03-04T14:30:00.000Z', 'in 2 hours'],
  ])('formats %s as %s', (at, text) => {
    expect(relativeTimeText(Date.parse(at), now)).toBe(text);
  });
});

describe('statusTone', () => {
  test.each([
    ['Closed', 'success'],
    ['DONE', 'success'],
    ['resolved', 'success'],
    ['open', 'accent'],
    [' In Progress ', 'accent'],
    ['To Do', 'accent'],
    ['Waiting for customer', 'neutral'],
    ['', 'neutral'],
  ])('the tone of %j is %s', (status, tone) => {
    expect(statusTone(status)).toBe(tone);
  });
});
