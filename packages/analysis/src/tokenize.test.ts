import { expect, test } from 'vitest';
import { termsIn, tokenize } from './tokenize.ts';

const terms = (text: string): string[] => termsIn(text, 1000);

test('punctuation and white space have no terms', () => {
  expect(terms(' .,;-- \n !? ()[]')).toEqual([]);
});

test('inflected forms meet, other words do not', () => {
  expect(terms('fails failed failing fail')).toEqual(['fail', 'fail', 'fail', 'fail']);
  expect(terms('classes queries stopped cached caching cache')).toEqual([
    'class',
    'query',
    'stop',
    'cach',
    'cach',
    'cach',
  ]);
  expect(terms('string strings bus news css need').at(0)).toBe('string');
  expect(terms('bus news css need')).toEqual(['bus', 'news', 'css', 'need']);
});

test('an identifier is found whole and by its parts', () => {
  expect(terms('readAheadCount')).toEqual(['readaheadcount', 'read', 'ahead', 'count']);
  expect(terms('fs.s3a.FileSystem')).toEqual([
    'fs.s3a.filesystem',
    'fs',
    's3a',
    'filesystem',
    'file',
    'system',
  ]);
  expect(terms('HTTPServer')).toEqual(['httpserver', 'http', 'server']);
  expect(terms('commons-text')).toEqual(['commons-text', 'common', 'text']);
});

test('a version is one term, and meets others of its minor', () => {
  expect(terms('9.4.43')).toEqual(['9.4.43', '9.4']);
  expect(terms('4.1.46.Final')[0]).toBe('4.1.46.final');
});

test('scripts without spaces are cut into pairs, which overlap', () => {
  expect([...tokenize('登录失败x')]).toEqual([
    { start: 0, end: 2, terms: ['登录'] },
    { start: 1, end: 3, terms: ['录失'] },
    { start: 2, end: 4, terms: ['失败'] },
    { start: 4, end: 5, terms: ['x'] },
  ]);
  expect(terms('字')).toEqual(['字']);
});

test('other alphabets, accents, emoji and right-to-left text have terms', () => {
  expect(terms('Ошибка входа')).toEqual(['ошибка', 'входа']);
  expect(terms('Café')).toEqual(terms('cafe'));
  expect(terms('تعذر الحفظ')).toEqual(['تعذر', 'الحفظ']);
  expect(terms('🎉🔥')).toEqual(['🎉', '🔥']);
});

test('offsets point at the word as written', () => {
  const text = 'Say “naïve” re-try!';
  expect([...tokenize(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
    'Say',
    'naïve',
    're-try',
  ]);
});

test('reading the first words of a megabyte costs only those', () => {
  const text = 'some words of it '.repeat(60_000);
  const began = process.threadCpuUsage();
  for (let time = 0; time < 1000; time += 1) termsIn(text, 10);
  expect(process.threadCpuUsage(began).user).toBeLessThan(2_000_000);
});

test('one word of a megabyte is cut, not kept', () => {
  for (const term of terms(`${'a'.repeat(1_000_000)} ${'a.'.repeat(500_000)} ${'aB'.repeat(500_000)}`)) {
    expect(term.length).toBeLessThanOrEqual(64);
  }
});
