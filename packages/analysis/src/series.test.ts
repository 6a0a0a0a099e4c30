import { describe, expect, test } from 'vitest';
import { findSeries, type SeriesIssue, seriesCandidates, shareFrame, umbrellaIn } from './series.ts';

function issues(titles: readonly string[], more: Partial<SeriesIssue> = {}): SeriesIssue[] {
  return titles.map((title, at) => ({ id: `${at}`, title, author: null, umbrella: null, ...more }));
}

const STEPS = ['Add debug output of strings', 'Add debug output of objects', 'Add debug output of enums'];

describe('a series', () => {
  test('has titles that differ in one word, and a common umbrella issue', () => {
    expect(findSeries(issues(STEPS, { umbrella: 'app#9' }))).toEqual([
      {
        frame: 'Add debug output of …',
        key: 'add debug output of …',
        members: ['0', '1', '2'],
        umbrella: 'app#9',
      },
    ]);
  });

  test('is found if most of its issues have the same author', () => {
    expect(findSeries(issues(STEPS, { author: 'ada' }))).toHaveLength(1);
  });

  test('keeps its key when an issue is added', () => {
    const grown = issues([...STEPS, 'Add debug output of closures'], { author: 'ada' });
    expect(findSeries(grown)[0]).toMatchObject({
      key: 'add debug output of …',
      members: ['0', '1', '2', '3'],
    });
  });
});

describe('no series is found for', () => {
  test('two issues, which may be duplicates in other words', () => {
    expect(findSeries(issues(STEPS.slice(1), { author: 'ada' }))).toEqual([]);
  });

  test('issues with equal titles, which are duplicates', () => {
    expect(
      findSeries(issues(Array<string>(4).fill('Add debug output of strings'), { author: 'ada' })),
    ).toEqual([]);
  });

  test('a few issues of different authors without an umbrella issue', () => {
    expect(
      findSeries(STEPS.map((title, at) => ({ id: `${at}`, title, author: `p${at}`, umbrella: null }))),
    ).toEqual([]);
  });

  test('issues with short titles, which have little in common', () => {
    expect(findSeries(issues(['Fix login', 'Fix logout', 'Fix export'], { author: 'ada' }))).toEqual([]);
  });
});

test('two titles have a common frame if they differ in up to three consecutive words', () => {
  expect(shareFrame('Add debug output of strings', 'add debug output of raw strings')).toBe(true);
  expect(shareFrame('Add debug output of strings', 'Remove all output of strings today')).toBe(false);
});

test('Chinese and Japanese titles have a common frame if they differ in up to three words', () => {
  expect(shareFrame('导出共享日历时丢失时区', '导出共享日历时丢失附件')).toBe(true);
  expect(shareFrame('Chromeで設定画面を開くと落ちる', 'Safariで設定画面を開くと落ちる')).toBe(true);
  expect(shareFrame('导出共享日历时丢失时区', '深色主题下标签无法阅读')).toBe(false);
});

test('the frame of Chinese titles has no spaces between words', () => {
  const titles = ['导出共享日历时丢失时区', '导出共享日历时丢失附件', '导出共享日历时丢失提醒'];
  expect(findSeries(issues(titles, { author: 'ada' }))).toMatchObject([
    { frame: '导出共享日历时丢失…', members: ['0', '1', '2'] },
  ]);
});

describe('an umbrella', () => {
  const known = new Set(['acme/app#12', 'acme/api#12', 'APP-7']);
  const umbrellaOf = (body: string, key = 'acme/app#3') =>
    umbrellaIn({ key, url: null, body }, (named) => known.has(named));

  test('the umbrella is the first known issue that a text mentions', () => {
    expect(umbrellaOf('Part of #12, see also acme/api#12.')).toBe('acme/app#12');
    expect(umbrellaOf('Part of api#12.')).toBe('acme/api#12');
    expect(umbrellaOf('See APP-7.', 'APP-9')).toBe('APP-7');
  });

  test.each([
    ['an unknown number', 'Part of #13.'],
    ['a standard', 'Written in UTF-8.'],
    ['a color', 'The color is #123456.'],
    ['a number in code', '`#12`'],
    ['nothing', 'Nothing is named.'],
  ])('is not %s', (_what, body) => {
    expect(umbrellaOf(body)).toBeNull();
  });
});

test('candidates are the issues whose titles have a common frame', () => {
  const all = issues([...STEPS, 'Dark theme is too dark']);
  expect(seriesCandidates(all).map(({ id }) => id)).toEqual(['0', '1', '2']);
});
