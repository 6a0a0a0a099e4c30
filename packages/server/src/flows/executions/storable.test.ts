import { expect, test } from 'vitest';
import { bounded, storable } from './storable.ts';

test('what a database cannot hold as JSON is left out, in texts and in names', () => {
  expect(JSON.parse(storable({ 'a\u0000b': ['c\u0000d', 1, null] }))).toEqual({ ab: ['cd', 1, null] });
  expect(storable({ half: '\ud800' })).not.toMatch(/\\ud800/i);
});

test('a long text is cut and says so, and all of an entry together is bounded', () => {
  const { text } = bounded({ text: 'x'.repeat(25_000) });
  expect(text).toBe(`${'x'.repeat(20_000)}… (5000 more characters)`);
  const many = bounded({ texts: Array.from({ length: 500 }, () => 'y'.repeat(1_000)) });
  expect(JSON.stringify(many).length).toBeLessThan(100_000);
});

test('numbers, lists and names are bounded as texts are', () => {
  const numbers = bounded({ numbers: Array(100_000).fill(1) }).numbers as unknown[];
  expect(JSON.stringify(numbers).length).toBeLessThan(100_000);
  expect(numbers.at(-1)).toBe(`… (${100_000 - numbers.length + 1} more)`);
  const names = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name ${index}`, null]));
  expect(JSON.stringify(bounded({ names })).length).toBeLessThan(150_000);
});

test('what is nested deep is shown to a depth', () => {
  let nested: unknown = 'inside';
  for (let depth = 0; depth < 1_000; depth += 1) nested = [nested];
  const shown = JSON.stringify(bounded({ nested }));
  expect(shown).toContain('["…"]');
  expect(shown.length).toBeLessThan(200);
});
