import { describe, expect, test } from 'vitest';
import { withoutParameter } from './address.ts';

describe('withoutParameter', () => {
  test('removes every occurrence of the parameter', () => {
    expect(withoutParameter('https://winnow.example/reset-password?token=a%2Fb', 'token')).toBe(
      '/reset-password',
    );
    expect(withoutParameter('https://winnow.example/x?token=a&token=b', 'token')).toBe('/x');
  });

  test('keeps all other parameters and the fragment', () => {
    const address = 'https://winnow.example/welcome?email=a%40b.c&token=d&username=e#f';
    expect(withoutParameter(address, 'token')).toBe('/welcome?email=a%40b.c&username=e#f');
  });

  test('returns null for an address without the parameter', () => {
    expect(withoutParameter('https://winnow.example/login?from=token', 'token')).toBeNull();
  });
});
