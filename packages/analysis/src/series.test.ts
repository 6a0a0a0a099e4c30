import { describe, expect, test } from 'vitest';
import { findSeries, type SeriesIssue, shareFrame, umbrellaIn } from './series.ts';

function issues(titles: readonly string[], more: Partial<SeriesIssue> = {}): SeriesIssue[] {
  return titles.map((title, at) => ({ id: `${at}`, title, author: null, umbrella: null, ...more }));
}

const STEPS = ['Add debug output of strings', 'Add debug output of objects', 'Add debug output of enums'];

describe('a series', () => {
  test('has one frame with a different word per issue, under one umbrella', () => {
    expect(findSeries(issues(STEPS, { umbrella: 'app#9' }))).toEqual([
      {
        frame: 'Add debug output of …',
        key: 'add debug output of …',
        members: ['0', '1', '2'],
        umbrella: 'app#9',
      },
    ]);
  });

  test('is found when one person wrote most of its issues', () => {
    expect(findSeries(issues(STEPS, { author: 'ada' }))).toHaveLength(1);
  });

  test('keeps its key when it grows', () => {
    const grown = issues([...STEPS, 'Add debug output of closures'], { author: 'ada' });
    expect(findSeries(grown)[0]).toMatchObject({
      key: 'add debug output of …',
      members: ['0', '1', '2', '3'],
    });
  });
});

describe('no series is found for', () => {
  test('two issues, which may be the same in other words', () => {
    expect(findSeries(issues(STEPS.slice(1), { author: 'ada' }))).toEqual([]);
  });

  test('equal titles, which are duplicates', () => {
    expect(
      findSeries(issues(Array<string>(4).fill('Add debug output of strings'), { author: 'ada' })),
    ).toEqual([]);
  });

  test('a few issues of different people without an umbrella', () => {
    expect(
      findSeries(STEPS.map((title, at) => ({ id: `${at}`, title, author: `p${at}`, umbrella: null }))),
    ).toEqual([]);
  });

  test('short titles, where the frame says nothing', () => {
    expect(findSeries(issues(['Fix login', 'Fix logout', 'Fix export'], { author: 'ada' }))).toEqual([]);
  });
});

test('titles share a frame if they differ in up to three consecutive words', () => {
  expect(shareFrame('Add debug output of strings', 'add debug output of raw strings')).toBe(true);
  expect(shareFrame('Add debug output of strings', 'Remove all output of strings today')).toBe(false);
});

test('an umbrella is the first issue that a text names', () => {
  expect(umbrellaIn('Part of #12, see also #13.')).toBe('#12');
  expect(umbrellaIn('Nothing is named.')).toBeNull();
});
