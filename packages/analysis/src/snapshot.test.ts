import { expect, test } from 'vitest';
import { decodeSnapshot, emptySnapshot, encodeSnapshot, termWeights, weightOfHash } from './snapshot.ts';
import { hashTerm } from './term-hash.ts';

const hashes = ['store', 'login', 'the'].map(hashTerm).sort((a, b) => a - b);
const snapshot = {
  ...emptySnapshot(3),
  version: 7,
  documents: 100,
  vectors: 90,
  mean: Float32Array.of(0.1, -0.2, 0.3),
  terms: Float64Array.from(hashes),
  frequencies: Uint32Array.from(hashes, (hash) => (hash === hashTerm('the') ? 90 : 9)),
};

test('refuses bytes that are not a complete snapshot', () => {
  const bytes = encodeSnapshot(snapshot);
  expect(() => decodeSnapshot(new Uint8Array(0))).toThrow(RangeError);
  expect(() => decodeSnapshot(new Uint8Array(200))).toThrow('not a snapshot');
  expect(() => decodeSnapshot(bytes.subarray(0, bytes.length - 1))).toThrow('truncated');
});

test('restores an encoded snapshot, also from a larger buffer', () => {
  const bytes = encodeSnapshot(snapshot);
  expect(decodeSnapshot(bytes)).toEqual(snapshot);
  const larger = new Uint8Array(bytes.length + 3);
  larger.set(bytes, 3);
  expect(decodeSnapshot(larger.subarray(3))).toEqual(snapshot);
});

test('rare terms have a higher weight, common terms have weight 0, and unknown terms count as occurring once', () => {
  const weight = termWeights(snapshot);
  expect(weight('the')).toBe(0);
  expect(weight('store')).toBeCloseTo(1 + Math.log(101 / 10), 12);
  expect(weight('neverseen')).toBeCloseTo(1 + Math.log(101 / 2), 12);
  expect(weightOfHash(snapshot, hashTerm('login'))).toBe(weight('login'));
});

test('without issues, all terms have the same weight', () => {
  expect(termWeights(emptySnapshot(3))('anything')).toBe(1);
});
