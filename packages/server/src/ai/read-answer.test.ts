import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAnswer } from './read-answer.ts';

const schema = z.object({ text: z.string(), lines: z.array(z.string()) });

test('texts are without what nobody sees, wherever they stand; line ends and tabs stay', () => {
  const said = { text: 'a\u0000b\u202ec\u{e0041}d\ud800e\r\nf\tg', lines: ['\udc00h\u200b'] };
  expect(readAnswer(JSON.stringify(said), schema)).toEqual({
    ok: true,
    value: { text: 'abcde\nf\tg', lines: ['h'] },
  });
});

test('an object is checked as it reads without them', () => {
  const filled = z.object({ text: z.string().min(1) });
  expect(readAnswer('{"text": "\\u200b\\u0000"}', filled).ok).toBe(false);
});

describe('what is wrong with an answer is told in a few lines', () => {
  const badly = (items: number) =>
    JSON.stringify({ text: 'a', lines: Array.from({ length: items }, () => 1) });

  test('the first ones of many, with how many more there are', () => {
    const read = readAnswer(badly(1_000), schema);
    if (read.ok) throw new Error('It was taken.');
    expect(read.problem).toContain('at lines[0]');
    expect(read.problem).toContain('at lines[4]');
    expect(read.problem).not.toContain('at lines[5]');
    expect(read.problem).toMatch(/995 more/);
  });

  test.each([
    ['far more values than any answer has', badly(500_000)],
    ['far more fields', `{${Array.from({ length: 100_000 }, (_, at) => `"a${at}":1`).join()}}`],
  ])('%s are not looked through', (_what, text) => {
    expect(readAnswer(text, schema)).toEqual({ ok: false, problem: 'That is far more than was asked for.' });
  });
});

test.each([
  ['a block of empty lines', `\`\`\`${'\n'.repeat(300_000)}x`],
  ['what is nested without end', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
])('%s is soon found to be no object', (_what, text) => {
  const startMs = performance.now();
  expect(readAnswer(text, schema).ok).toBe(false);
  expect(performance.now() - startMs).toBeLessThan(15_000);
});
