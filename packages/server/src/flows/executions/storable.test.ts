import { expect, test } from 'vitest';
import { limitPayload, toStorableJson } from './storable.ts';

test('drops characters that JSON in the database cannot store, in texts and names', () => {
  expect(JSON.parse(toStorableJson({ 'a\u0000b': ['c\u0000d', 1, null] }))).toEqual({ ab: ['cd', 1, null] });
  expect(toStorableJson({ half: '\ud800' })).not.toMatch(/\\ud800/i);
});

test('truncates long texts and adds a note, and limits the whole entry', () => {
  const { text } = limitPayload({ text: 'x'.repeat(25_000) });
  expect(text).toBe(`${'x'.repeat(20_000)}… (5000 more characters)`);
  const many = limitPayload({ texts: Array.from({ length: 500 }, () => 'y'.repeat(1_000)) });
  expect(JSON.stringify(many).length).toBeLessThan(100_000);
});

test('limits numbers, lists and names like texts', () => {
  const numbers = limitPayload({ numbers: Array(100_000).fill(1) }).numbers as unknown[];
  expect(JSON.stringify(numbers).length).toBeLessThan(100_000);
  expect(numbers.at(-1)).toBe(`… (${100_000 - numbers.length + 1} more)`);
  const names = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name ${index}`, null]));
  expect(JSON.stringify(limitPayload({ names })).length).toBeLessThan(150_000);
});

test('truncates deep nesting', () => {
  let nested: unknown = 'inside';
  for (let depth = 0; depth < 1_000; depth += 1) nested = [nested];
  const shown = JSON.stringify(limitPayload({ nested }));
  expect(shown).toContain('["…"]');
  expect(shown.length).toBeLessThan(200);
});
