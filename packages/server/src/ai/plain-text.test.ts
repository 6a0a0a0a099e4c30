import { describe, expect, test } from 'vitest';
import { plainLine, plainReason } from './plain-text.ts';

describe('what a model says', () => {
  test('is one paragraph without addresses', () => {
    expect(plainLine(' See\n\nhttps://evil.example/x  now. ')).toBe('See [address] now.');
  });

  test('is cut where it is far too long', () => {
    expect(plainLine('a '.repeat(1_000))).toMatch(/^(a )+…$|^[a ]{599}…$/);
  });

  test('is nothing where nothing is said; a reason says so', () => {
    expect(plainLine(' \n ')).toBeNull();
    expect(plainReason(' \n ')).toBe('The model gave no reason that can be shown.');
  });
});
