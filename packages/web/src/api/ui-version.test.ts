import { expect, test } from 'vitest';
import { uiVersionCookie } from './ui-version.ts';

test('sets the cookie for 30 days on every path, and marks it secure over HTTPS', () => {
  const cookie = 'ui_version=winnow; Max-Age=2592000; Path=/; SameSite=Lax';
  expect(uiVersionCookie('http:')).toBe(cookie);
  expect(uiVersionCookie('https:')).toBe(`${cookie}; Secure`);
});
