import { describe, expect, test } from 'vitest';
import { withoutParameter } from './address.ts';

describe('what the address bar shows once a secret was read', () => {
  test('has it no more, however often it stood there', () => {
    expect(withoutParameter('https://winnow.example/reset-password?token=a%2Fb', 'token')).toBe(
      '/reset-password',
    );
    expect(withoutParameter('https://winnow.example/x?token=a&token=b', 'token')).toBe('/x');
  });

  test('keeps every other parameter and the place in the page', () => {
    const address = 'https://winnow.example/welcome?email=a%40b.c&token=d&username=e#f';
    expect(withoutParameter(address, 'token')).toBe('/welcome?email=a%40b.c&username=e#f');
  });

  test('is left alone where there is none', () => {
    expect(withoutParameter('https://winnow.example/login?from=token', 'token')).toBeNull();
  });
});
