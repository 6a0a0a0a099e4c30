import { expect, test } from 'vitest';
import { id } from './primitives.ts';

test('an id in capitals is the same id', () => {
  expect(id.parse('6F6F2C1E-5A0E-4D56-9F0C-9D3B2F6A1C11')).toBe('6f6f2c1e-5a0e-4d56-9f0c-9d3b2f6a1c11');
  expect(id.safeParse('6F6F2C1E').success).toBe(false);
});
