import { expect, test } from 'vitest';
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

test.each([
  ['a block of empty lines', `\`\`\`${'\n'.repeat(300_000)}x`],
  ['what is nested without end', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
])('%s is soon found to be no object', (_what, text) => {
  const startMs = performance.now();
  expect(readAnswer(text, schema).ok).toBe(false);
  expect(performance.now() - startMs).toBeLessThan(15_000);
});
