import { expect, test } from 'vitest';
import { uiVersionCookie } from './ui-version.ts';

test('the interface is noted for 30 days on every path, and over HTTPS alone where the page came that way', () => {
  const cookie = 'ui_version=winnow; Max-Age=2592000; Path=/; SameSite=Lax';
  expect(uiVersionCookie('http:')).toBe(cookie);
  expect(uiVersionCookie('https:')).toBe(`${cookie}; Secure`);
});
