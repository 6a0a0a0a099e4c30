import { PAIRS_COUNTED } from '@winnow/contract/duplicate';
import { describe, expect, test } from 'vitest';
import { safeHref } from '../../api/safe-href.ts';
import { statusTone } from '../../features/issue-status/issue-status.ts';
import { pairsText } from '../../features/pairs/pair-texts.ts';
import { pageRange } from '../data-list/page-range.ts';
import { countText } from './count-text.ts';
import { relativeTimeText } from './relative-time-text.ts';

describe('an address from a tracker', () => {
  test.each([
    '',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '/console',
    'not an address',
  ])('%j is no link', (address) => {
    expect(safeHref(address)).toBeNull();
  });

  test('over http or https is a link', () => {
    expect(safeHref('https://github.com/a/b/issues/1')).toBe('https://github.com/a/b/issues/1');
    expect(safeHref('http://git.example/x')).toBe('http://git.example/x');
  });
});

describe('the pager', () => {
  test('of an empty list is one page of nothing', () => {
    expect(pageRange(1, 10, 0)).toEqual({ range: '0–0 of 0', position: 'Page 1 of 1', pages: 1, page: 1 });
  });

  test('of a page that does not exist stays in the list', () => {
    expect(pageRange(99, 10, 25)).toMatchObject({ range: '21–25 of 25', position: 'Page 3 of 3' });
    expect(pageRange(-1, 10, 25)).toMatchObject({ range: '1–10 of 25', page: 1 });
  });

  test('groups thousands', () => {
    expect(pageRange(1, 10, 21_800).position).toBe('Page 1 of 2,180');
  });

  test('says a total that is not counted to its end as it is said elsewhere', () => {
    const total = pairsText(PAIRS_COUNTED + 1);
    expect(pageRange(2, 10, PAIRS_COUNTED, total).range).toBe(`11–20 of ${total}`);
  });
});

test('a total of pairs that the server stopped counting at is not given as exact', () => {
  expect(pairsText(218)).toBe('218');
  expect(pairsText(PAIRS_COUNTED)).toBe(countText(PAIRS_COUNTED));
  expect(pairsText(PAIRS_COUNTED + 1)).toBe(`${countText(PAIRS_COUNTED)}+`);
});

describe('a relative time', () => {
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
  ])('%s was %s', (at, text) => {
    expect(relativeTimeText(Date.parse(at), now)).toBe(text);
  });
});

describe('the tone of a status', () => {
  test.each([
    ['Closed', 'success'],
    ['DONE', 'success'],
    ['resolved', 'success'],
    ['open', 'accent'],
    [' In Progress ', 'accent'],
    ['To Do', 'accent'],
    ['Waiting for customer', 'neutral'],
    ['', 'neutral'],
  ])('%j is %s', (status, tone) => {
    expect(statusTone(status)).toBe(tone);
  });
});
