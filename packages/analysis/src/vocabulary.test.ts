import { expect, test } from 'vitest';
import { hashTerm } from './term-hash.ts';
import { Vocabulary } from './vocabulary.ts';

test('does not find unknown terms', () => {
  expect(new Vocabulary().find(hashTerm('x'))).toBe(-1);
});

test('retains the distinct ids of ten thousand terms while the table grows', () => {
  const vocabulary = new Vocabulary();
  const words = Array.from({ length: 10_000 }, (_, at) => `term${at}`);
  for (const [at, word] of words.entries()) expect(vocabulary.add(hashTerm(word))).toBe(at);
  for (const [at, word] of words.entries()) {
    expect(vocabulary.add(hashTerm(word))).toBe(at);
    expect(vocabulary.find(hashTerm(word))).toBe(at);
    expect(vocabulary.hashOf(at)).toBe(hashTerm(word));
  }
  expect(vocabulary.size).toBe(10_000);
});

test('returns hashes as integers below 2 to the 53rd', () => {
  for (const term of ['', 'a', '日本', 'x'.repeat(1000)]) {
    expect(Number.isSafeInteger(hashTerm(term))).toBe(true);
    expect(hashTerm(term)).toBeGreaterThanOrEqual(0);
  }
});
