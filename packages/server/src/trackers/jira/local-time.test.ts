import { instantOf } from '@winnow/emulators/jira/local-time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOrAfter, atOrBefore } from './local-time.ts';

const ZONES = [
  'Etc/UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
];

/** Returns all instants that a local time can mean to Jira. */
function meanings(text: string, zone: string): number[] {
  const local = Date.parse(`${text.replace(' ', 'T')}:00Z`);
  return (['earlier', 'later'] as const).map((prefer) => instantOf(local, zone, prefer));
}

describe('a time in a query', () => {
  test.each([
    [
      'in an ordinary minute',
      '2024-05-01T12:34:56Z',
      'Europe/Berlin',
      '2024-05-01 14:34',
      '2024-05-01 14:35',
    ],
    [
      'the hour before daylight saving time begins',
      '2024-03-31T00:59:30Z',
      'Europe/Berlin',
      '2024-03-31 01:59',
      '2024-03-31 03:00',
    ],
    [
      'the start of daylight saving time',
      '2024-03-31T01:00:00Z',
      'Europe/Berlin',
      '2024-03-31 03:00',
      '2024-03-31 03:00',
    ],
    // When daylight saving time ends, 02:00 to 03:00 occurs twice: first from 00:00Z, then from
    // 01:00Z.
    [
      'the first of two equal times',
      '2024-10-27T00:30:00Z',
      'Europe/Berlin',
      '2024-10-27 01:45',
      '2024-10-27 02:30',
    ],
    [
      'the second of two equal times',
      '2024-10-27T01:30:00Z',
      'Europe/Berlin',
      '2024-10-27 02:30',
      '2024-10-27 03:00',
    ],
    ['the time after both', '2024-10-27T02:00:00Z', 'Europe/Berlin', '2024-10-27 03:00', '2024-10-27 03:00'],
    [
      'a half hour that occurs twice',
      '2024-04-06T14:45:00Z',
      'Australia/Lord_Howe',
      '2024-04-07 01:15',
      '2024-04-07 01:45',
    ],
  ])('at %s errs on the safe side', (_, instant, zone, before, after) => {
    expect(atOrBefore(Date.parse(instant), zone).text).toBe(before);
    expect(atOrAfter(Date.parse(instant), zone).text).toBe(after);
  });

  test('errs on the safe side in every zone at every time, for either of two equal times', () => {
    const instant = fc.integer({ min: Date.UTC(2023, 0), max: Date.UTC(2025, 0) });
    fc.assert(
      fc.property(instant, fc.constantFrom(...ZONES), (ms, zone) => {
        const before = atOrBefore(ms, zone);
        const after = atOrAfter(ms, zone);
        for (const meaning of meanings(before.text, zone)) {
          expect(meaning).toBeLessThanOrEqual(ms);
          expect(meaning).toBeGreaterThanOrEqual(before.earliestMs);
        }
        for (const meaning of meanings(after.text, zone)) expect(meaning).toBeGreaterThanOrEqual(ms);
        expect(ms - before.earliestMs).toBeLessThan(2.5 * 3_600_000);
      }),
      { numRuns: 500 },
    );
  });

  test('errs by a day in an unknown zone', () => {
    const ms = Date.parse('2024-05-01T12:00:00Z');
    expect(atOrBefore(ms, 'Mars/Olympus').text).toBe('2024-04-30 10:00');
    expect(atOrAfter(ms, null).text).toBe('2024-05-02 14:00');
  });
});
