import { expect, test } from 'vitest';
import { termsIn, tokenize } from './tokenize.ts';

const terms = (text: string): string[] => termsIn(text, 1000);

test('returns no terms for punctuation and white space', () => {
  expect(terms(' .,;-- \n !? ()[]')).toEqual([]);
});

test('inflected forms have the same term, and other words have different ones', () => {
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

test('an identifier has the whole and its parts as terms', () => {
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

test('a version is one term, and shares another with versions of the same minor version', () => {
  expect(terms('9.4.43')).toEqual(['9.4.43', '9.4']);
  expect(terms('4.1.46.Final')[0]).toBe('4.1.46.final');
});

test('Chinese is segmented, and identifiers in it stay whole', () => {
  expect([...tokenize('登录失败x')]).toEqual([
    { start: 0, end: 2, terms: ['登录'] },
    { start: 2, end: 4, terms: ['失败'] },
    { start: 4, end: 5, terms: ['x'] },
  ]);
  expect(terms('字')).toEqual(['字']);
  expect(terms('操作系统的连接')).toEqual(['操作', '系统', '连接']);
  expect(terms('使用config.yaml启动readAheadCount失败')).toEqual([
    '使用',
    'config.yaml',
    'config',
    'yaml',
    '启动',
    'readaheadcount',
    'read',
    'ahead',
    'count',
    '失败',
  ]);
});

test('Japanese and Thai are segmented, and particles are omitted', () => {
  expect(terms('データ型のエラー')).toEqual(['データ', 'デー', 'ータ', '型', 'エラー', 'エラ', 'ラー']);
  expect(terms('設定画面の言語を変更')).toEqual(['設定', '画面', '言語', '変更']);
  expect(terms('ﾊﾞｸﾞを修正')).toEqual(terms('バグを修正'));
  expect(terms('เข้าสู่ระบบ')).toContain('ระบบ');
});

test('Korean is split into overlapping pairs of letters', () => {
  expect([...tokenize('로그인 이')]).toEqual([
    { start: 0, end: 2, terms: ['로그'] },
    { start: 1, end: 3, terms: ['그인'] },
    { start: 4, end: 5, terms: ['이'] },
  ]);
});

test('a long run of letters is segmented in parts without splitting a character', () => {
  for (const text of ['数据库'.repeat(20_000), '𠮷'.repeat(20_000), 'が'.normalize('NFD').repeat(2_000)]) {
    const found = terms(text);
    expect(found.every((term) => term.isWellFormed() && term.length <= 64)).toBe(true);
  }
});

test('only the words that are consumed are segmented', () => {
  const text = '登录失败'.repeat(250_000);
  const began = process.threadCpuUsage();
  for (let time = 0; time < 20; time += 1) termsIn(text, 10);
  expect(process.threadCpuUsage(began).user).toBeLessThan(2_000_000);
});

test('words of other alphabets, accented words, emoji and right-to-left text have terms', () => {
  expect(terms('Ошибка входа')).toEqual(['ошибка', 'входа']);
  expect(terms('Café')).toEqual(terms('cafe'));
  expect(terms('تعذر الحفظ')).toEqual(['تعذر', 'الحفظ']);
  expect(terms('🎉🔥')).toEqual(['🎉', '🔥']);
});

test('offsets refer to the original text', () => {
  const text = 'Say “naïve” re-try!';
  expect([...tokenize(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
    'Say',
    'naïve',
    're-try',
  ]);
});

test('only the consumed words of a megabyte of text are read', () => {
  const text = 'some words of it '.repeat(60_000);
  const began = process.threadCpuUsage();
  for (let time = 0; time < 1000; time += 1) termsIn(text, 10);
  expect(process.threadCpuUsage(began).user).toBeLessThan(2_000_000);
});

test('a word of a megabyte is shortened', () => {
  for (const term of terms(`${'a'.repeat(1_000_000)} ${'a.'.repeat(500_000)} ${'aB'.repeat(500_000)}`)) {
    expect(term.length).toBeLessThanOrEqual(64);
  }
});
