import { expect, test } from 'vitest';
import { isWellFormed, keyHash, newKey, shownPrefix } from './key.ts';

test('a key has the prefix, 40 random digits and six check digits, and is unique', () => {
  const keys = Array.from({ length: 2_000 }, newKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^wnw_[0-9A-Za-z]{46}$/);
    expect(isWellFormed(key)).toBe(true);
  }
  expect(new Set(keys.map((key) => key.slice(4, 44)).join('')).size).toBe(62);
});

test.each([
  ['0'.repeat(40), '2kaqcA'],
  [`Winnow${'0'.repeat(34)}`, '4S12td'],
])('the checksum of %s is its CRC-32 in base 62', (random, checksum) => {
  expect(isWellFormed(`wnw_${random}${checksum}`)).toBe(true);
});

test('a mistyped, shortened or extended key is invalid', () => {
  const key = newKey();
  for (let at = 4; at < key.length; at += 1) {
    const other = key[at] === 'x' ? 'y' : 'x';
    expect(isWellFormed(`${key.slice(0, at)}${other}${key.slice(at + 1)}`)).toBe(false);
  }
  for (const wrong of [
    '',
    'wnw_',
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.slice(4),
    `WNW_${key.slice(4)}`,
    key.toLowerCase(),
    `wnw_${'é'.repeat(46)}`,
  ]) {
    expect(isWellFormed(wrong)).toBe(false);
  }
});

test('the displayed and stored parts do not reveal the key', () => {
  const key = newKey();
  expect(shownPrefix(key)).toBe(key.slice(0, 10));
  expect(keyHash(key)).toHaveLength(32);
  expect(keyHash(key).equals(keyHash(newKey()))).toBe(false);
});
