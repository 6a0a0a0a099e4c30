import { expect, test } from 'vitest';
import { gitHubAddress } from './address.ts';

test.each([
  ['http://', 'not a web address'],
  ['ftp://git.example.com', 'Only http and https'],
  ['javascript:alert(1)', 'not a web address'],
  ['https://user:secret@git.example.com', 'Leave the user name'],
])('refuses %s', (text, words) => {
  expect(() => gitHubAddress(text)).toThrow(words);
  expect(() => gitHubAddress(text)).not.toThrow('secret');
});

test.each([
  ['', 'https://api.github.com'],
  ['github.com', 'https://api.github.com'],
  ['https://github.com/', 'https://api.github.com'],
  ['https://www.github.com/acme', 'https://api.github.com'],
  ['https://api.github.com', 'https://api.github.com'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
  ['https://api.acme.ghe.com', 'https://api.acme.ghe.com'],
  ['git.example.com', 'https://git.example.com/api/v3'],
  ['https://git.example.com/', 'https://git.example.com/api/v3'],
  ['https://git.example.com/api/v3', 'https://git.example.com/api/v3'],
  ['https://git.example.com/api/v3/', 'https://git.example.com/api/v3'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v3'],
  ['https://example.com/github', 'https://example.com/github/api/v3'],
  ['https://github.com.evil.example', 'https://github.com.evil.example/api/v3'],
])('the API of %s is %s', (text, apiUrl) => {
  expect(gitHubAddress(text).apiUrl).toBe(apiUrl);
});

test('a GitHub other than github.com is named by its host', () => {
  expect(gitHubAddress('github.com').name).toBe('GitHub');
  expect(gitHubAddress('https://git.example.com:8443').name).toBe('GitHub at git.example.com:8443');
});
