import { describe, expect, test } from 'vitest';
import { explainPair } from './explain.ts';

const even = (): number => 1;

/** Returns term weights. The given words are frequent, and all others are rare. */
function common(...words: string[]): (term: string) => number {
  return (term) => (words.includes(term) ? 0 : 5);
}

describe('no passage is common', () => {
  test('two issues without descriptions have no common passage', () => {
    expect(explainPair({ title: 'One', body: '' }, { title: 'One', body: '' }, even)).toEqual({
      title: 1,
      body: 0,
      error_text: null,
      shared: [],
    });
  });

  test('form headings, stack frames and comments are no common passage', () => {
    const form =
      '### Steps to reproduce\n<!-- tell us how -->\n\tat a.b.C.d(C.java:1)\n- [x] I have searched the issues\n';
    const evidence = explainPair(
      { title: '', body: `${form}open menu` },
      { title: '', body: `${form}save file` },
      even,
    );
    expect(evidence.shared).toEqual([]);
    expect(evidence.body).toBe(0);
  });

  test('frequent words are no common passage', () => {
    const [a, b] = ['the app is on the phone', 'the app is on the desk'];
    const weights = common('the', 'app', 'is', 'on');
    expect(explainPair({ title: '', body: a }, { title: '', body: b }, weights).shared).toEqual([]);
  });
});

describe('a shared passage', () => {
  test('a common passage has offsets into both original texts', () => {
    const first = 'Hello! The **quick brown** fox jumps.\r\nBye.';
    const second = '> it was\n> the quick brown fox, jumps over';
    const { shared } = explainPair({ title: '', body: first }, { title: '', body: second }, even);
    expect(shared).toHaveLength(1);
    const [passage] = shared;
    expect(passage?.text).toBe('The **quick brown** fox jumps');
    expect(first.slice(...(passage?.in1 ?? [0, 0]))).toBe(passage?.text);
    expect(second.slice(...(passage?.in2 ?? [0, 0]))).toBe('the quick brown fox, jumps');
  });

  test('a common passage can be one distinctive word, with correct offsets after emoji and other scripts', () => {
    const weights = common('we', 'use', 'here');
    const { shared } = explainPair(
      { title: '', body: '🎉 日本語 we use JavaKeyStoreProvider' },
      { title: '', body: 'JavaKeyStoreProvider here' },
      weights,
    );
    expect(shared.map((passage) => passage.text)).toEqual(['JavaKeyStoreProvider']);
    expect(shared[0]?.in2).toEqual([0, 20]);
  });

  test('a common passage is found in scripts without spaces', () => {
    const { shared } = explainPair(
      { title: '', body: '昨天无法登录系统' },
      { title: '', body: '又无法登录系统了' },
      even,
    );
    expect(shared.map((passage) => passage.text)).toEqual(['无法登录系统']);
  });

  test('common passages cross no dropped line, do not overlap, and have the order of the first text', () => {
    const body = 'alpha beta gamma\n\tat a.b.C.d(C.java:1)\ndelta epsilon zeta';
    const other = 'delta epsilon zeta alpha beta gamma';
    const { shared } = explainPair({ title: '', body }, { title: '', body: other }, even);
    expect(shared.map((passage) => passage.text)).toEqual(['alpha beta gamma', 'delta epsilon zeta']);
  });

  test('a long common passage is split into parts that cover it', () => {
    const body = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');
    const { shared } = explainPair({ title: 't', body }, { title: 't', body }, even);
    expect(shared[0]?.in1[0]).toBe(0);
    expect(shared.at(-1)?.in1[1]).toBe(body.length);
    for (const passage of shared) expect(passage.text.length).toBeLessThanOrEqual(1000);
  });
});

test('a common error has a score separate from the remaining text', () => {
  const trace = 'java.io.IOException: disk quota exceeded\n\tat a.b.C.d(C.java:1)';
  const evidence = explainPair(
    { title: 'Upload stops', body: `At half of it.\n${trace}` },
    { title: 'Cannot save', body: `Since Monday.\n${trace}` },
    even,
  );
  expect(evidence.error_text).toBeCloseTo(1, 9);
  expect(evidence.body).toBeLessThan(1);
  expect(evidence.shared.map((passage) => passage.text)).toEqual([
    'java.io.IOException: disk quota exceeded',
  ]);
});

test('both orders of the issues give the same scores', () => {
  const [a, b] = [
    { title: 'Editor crashes', body: 'on save of large files' },
    { title: 'Crash of editor', body: 'large files make it crash on save' },
  ];
  const [there, back] = [explainPair(a, b, even), explainPair(b, a, even)];
  expect([back.title, back.body, back.error_text]).toEqual([there.title, there.body, there.error_text]);
});

test.each([
  'word ',
  'a b ',
  'a',
  '<!--\n',
  '\n',
  '[[](',
  '{code}',
  '| a |\n',
  '日本語',
  'at a.b(C.java:1)\n',
  'a b c a b ',
])('a megabyte of %j in both issues is explained in limited time', (unit) => {
  const body = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const began = process.threadCpuUsage();
  explainPair({ title: '', body }, { title: '', body: `${body} end` }, even);
  expect(process.threadCpuUsage(began).user).toBeLessThan(4_000_000);
});
