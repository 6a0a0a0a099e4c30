import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Passage, passagesOf, splitMarked } from './marks.ts';

function shown(text: string, passages: Passage[]): string {
  return splitMarked(text, passages)
    .map(({ start, end, passage }) => {
      const part = text.slice(start, end);
      return passage === null ? part : `[${part}|${passage}]`;
    })
    .join('');
}

describe('splitMarked', () => {
  test('returns no segments for an empty text', () => {
    expect(splitMarked('', [{ start: 0, end: 5, number: 1 }])).toEqual([]);
  });

  test('ignores empty, reversed and out-of-range passages', () => {
    const passages = [
      { start: 2, end: 2, number: 1 },
      { start: 4, end: 1, number: 2 },
      { start: Number.NaN, end: 3, number: 3 },
      { start: 90, end: 99, number: 4 },
      { start: -9, end: -1, number: 5 },
    ];
    expect(shown('abcdef', passages)).toBe('abcdef');
  });

  test('clamps offsets to the text', () => {
    expect(
      shown('abcdef', [
        { start: -3, end: 2, number: 1 },
        { start: 4, end: 60, number: 2 },
      ]),
    ).toBe('[ab|1]cd[ef|2]');
  });

  test('assigns the overlap of two passages to the one that starts first', () => {
    expect(
      shown('abcdefgh', [
        { start: 3, end: 7, number: 2 },
        { start: 1, end: 5, number: 1 },
      ]),
    ).toBe('a[bcde|1][fg|2]h');
  });

  test('drops a passage that is inside another passage', () => {
    expect(
      shown('abcdefgh', [
        { start: 1, end: 6, number: 1 },
        { start: 2, end: 4, number: 2 },
      ]),
    ).toBe('a[bcdef|1]gh');
  });

  test('never splits a surrogate pair', () => {
    expect(shown('a😀b😀c', [{ start: 2, end: 5, number: 1 }])).toBe('a[😀b😀|1]c');
  });

  test('returns segments that join to the whole text, for any passages', () => {
    const passage = fc.record({
      start: fc.integer({ min: -20, max: 60 }),
      end: fc.integer({ min: -20, max: 60 }),
      number: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40, unit: 'grapheme' }),
        fc.array(passage, { maxLength: 8 }),
        (text, passages) => {
          const segments = splitMarked(text, passages);
          expect(segments.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
          for (const { start, end } of segments) expect(end).toBeGreaterThan(start);
        },
      ),
    );
  });
});

test('numbers passages in the order of the first text, with the same numbers in both texts', () => {
  const shared = [
    { text: 'late', in1: [40, 44] as [number, number], in2: [0, 4] as [number, number] },
    { text: 'early', in1: [3, 8] as [number, number], in2: [20, 25] as [number, number] },
  ];
  expect(passagesOf(shared, 'in1')).toEqual([
    { start: 3, end: 8, number: 1 },
    { start: 40, end: 44, number: 2 },
  ]);
  expect(passagesOf(shared, 'in2')).toEqual([
    { start: 20, end: 25, number: 1 },
    { start: 0, end: 4, number: 2 },
  ]);
});
