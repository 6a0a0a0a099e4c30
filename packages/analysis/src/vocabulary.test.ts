import { expect, test } from 'vitest';
import { hashTerm } from './term-hash.ts';
import { Vocabulary } from './vocabulary.ts';

test('unknown terms are not found', () => {
  expect(new Vocabulary().find(hashTerm('x'))).toBe(-1);
});

test('ten thousand terms keep their different ids while the table grows', () => {
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

test('hashes are returned as integers below 2 to the power of 53', () => {
  for (const term of ['', 'a', '日本', 'x'.repeat(1000)]) {
    expect(Number.isSafeInteger(hashTerm(term))).toBe(true);
    expect(hashTerm(term)).toBeGreaterThanOrEqual(0);
  }
});
