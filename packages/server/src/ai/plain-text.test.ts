import { describe, expect, test } from 'vitest';
import { plainLine, plainReason } from './plain-text.ts';

describe('model output', () => {
  test('becomes one paragraph without addresses', () => {
    expect(plainLine(' See\n\nhttps://evil.example/x  now. ')).toBe('See [address] now.');
  });

  test('is cut if it is too long', () => {
    expect(plainLine('a '.repeat(1_000))).toMatch(/^(a )+…$|^[a ]{599}…$/);
  });

  test('is null if it is empty, and an empty reason has a placeholder', () => {
    expect(plainLine(' \n ')).toBeNull();
    expect(plainReason(' \n ')).toBe('The model gave no reason that can be shown.');
  });
});
