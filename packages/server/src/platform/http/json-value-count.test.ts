import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceedsValueCount } from '../value-count.ts';
import { exceedsJsonValueCount } from './json-value-count.ts';

const exceeds = (json: string, most: number) => exceedsJsonValueCount(Buffer.from(json), most);

test.each([
  ['neighbors', `[${'1,'.repeat(12_000)}1]`],
  ['nested arrays', '['.repeat(12_001)],
  ['nested objects', '{"a":'.repeat(12_001)],
  ['a repeated key', `{${'"a":1,'.repeat(12_000)}"a":1}`],
  ['values between spaces', `[ ${'1 , '.repeat(12_000)}1 ]`],
])('counts %s', (_name, json) => {
  expect(exceeds(json, 12_000)).toBe(true);
});

test('ignores separators in strings', () => {
  expect(exceeds(JSON.stringify('[{,"\\'.repeat(10_000)), 1)).toBe(false);
  expect(exceeds(JSON.stringify({ '[,"\\': '{,\\"' }), 2)).toBe(false);
});

test('returns the same count as for the parsed value, with and without spaces', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(40), fc.constantFrom(0, 1), (value, most, spaces) => {
      const json = JSON.stringify(value, null, spaces);
      expect(exceeds(json, most + 1)).toBe(exceedsValueCount(JSON.parse(json), most + 1));
    }),
  );
});
