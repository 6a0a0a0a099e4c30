import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseAnswer } from './answer-parser.ts';

const schema = z.object({ text: z.string(), lines: z.array(z.string()) });

test('invisible characters are removed everywhere; line ends and tabs are preserved', () => {
  const said = { text: 'a\u0000b\u202ec\u{e0041}d\ud800e\r\nf\tg', lines: ['\udc00h\u200b'] };
  expect(parseAnswer(JSON.stringify(said), schema)).toEqual({
    ok: true,
    value: { text: 'abcde\nf\tg', lines: ['h'] },
  });
});

test('the schema is checked after invisible characters were removed', () => {
  const filled = z.object({ text: z.string().min(1) });
  expect(parseAnswer('{"text": "\\u200b\\u0000"}', filled).ok).toBe(false);
});

describe('a problem report', () => {
  const badly = (items: number) =>
    JSON.stringify({ text: 'a', lines: Array.from({ length: items }, () => 1) });

  test('lists the first problems and counts the remaining ones', () => {
    const read = parseAnswer(badly(1_000), schema);
    if (read.ok) throw new Error('It was taken.');
    expect(read.problem).toContain('at lines[0]');
    expect(read.problem).toContain('at lines[4]');
    expect(read.problem).not.toContain('at lines[5]');
    expect(read.problem).toMatch(/995 more/);
  });

  test.each([
    ['far more values than any valid answer', badly(500_000)],
    ['far more fields', `{${Array.from({ length: 100_000 }, (_, at) => `"a${at}":1`).join()}}`],
  ])('skips %s', (_what, text) => {
    expect(parseAnswer(text, schema)).toEqual({
      ok: false,
      problem: 'The answer is far longer than requested.',
    });
  });
});

test.each([
  ['a block of empty lines', `\`\`\`${'\n'.repeat(300_000)}x`],
  ['endless nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
])('%s is rejected in linear time', (_what, text) => {
  const startMs = performance.now();
  expect(parseAnswer(text, schema).ok).toBe(false);
  expect(performance.now() - startMs).toBeLessThan(15_000);
});
