import { expect, test } from 'vitest';
import { parseAllowedHosts } from './allowed-hosts.ts';

test.each([
  'http://tracker.local',
  'tracker.local/path',
  '10.0.0.0/33',
  '10/8',
  '*.corp.example',
  'user@host',
  'host:99999',
  'two hosts',
])('refuses an entry that is not a host, port or range: %s', (entry) => {
  expect(() => parseAllowedHosts([entry])).toThrow(/OUTBOUND_ALLOWED_HOSTS has the entry ".+"/);
});

test('without entries, allows the internet and nothing private', () => {
  const allowed = parseAllowedHosts(['', '  ']);
  expect(allowed.allowsName('localhost', 80)).toBe(false);
  expect(allowed.allowsAddress('127.0.0.1', 80)).toBe(false);
  expect(allowed.allowsAddress('8.8.8.8', 443)).toBe(true);
});

test('applies a port to that port only, even the default port of HTTP', () => {
  const allowed = parseAllowedHosts(['gitlab.corp:8443', 'jira.corp:80', '10.1.2.3:8080', '[fd00::7]:3000']);
  expect(allowed.allowsName('gitlab.corp', 8443)).toBe(true);
  expect(allowed.allowsName('gitlab.corp', 443)).toBe(false);
  expect(allowed.allowsName('jira.corp', 80)).toBe(true);
  expect(allowed.allowsName('jira.corp', 443)).toBe(false);
  expect(allowed.allowsAddress('10.1.2.3', 8080)).toBe(true);
  expect(allowed.allowsAddress('10.1.2.3', 80)).toBe(false);
  expect(allowed.allowsAddress('fd00::7', 3000)).toBe(true);
  expect(allowed.allowsAddress('fd00::7', 3001)).toBe(false);
});

test('matches whole names, ignoring case and a final dot, and never suffixes', () => {
  const allowed = parseAllowedHosts(['Gitlab.Corp', 'bücher.example']);
  expect(allowed.allowsName('gitlab.corp', 443)).toBe(true);
  expect(allowed.allowsName('gitlab.corp.', 443)).toBe(true);
  expect(allowed.allowsName('xn--bcher-kva.example', 443)).toBe(true);
  expect(allowed.allowsName('evil-gitlab.corp', 443)).toBe(false);
  expect(allowed.allowsName('gitlab.corp.evil.example', 443)).toBe(false);
});

test('matches exactly the addresses of a range or address', () => {
  const allowed = parseAllowedHosts(['10.1.0.0/16', 'fd00::/64', '127.0.0.1', '::1']);
  expect(allowed.allowsAddress('10.1.255.255', 1)).toBe(true);
  expect(allowed.allowsAddress('10.2.0.0', 1)).toBe(false);
  expect(allowed.allowsAddress('fd00::1', 1)).toBe(true);
  expect(allowed.allowsAddress('fd00:0:0:1::1', 1)).toBe(false);
  expect(allowed.allowsAddress('127.0.0.1', 1)).toBe(true);
  expect(allowed.allowsAddress('127.0.0.2', 1)).toBe(false);
  expect(allowed.allowsAddress('::ffff:127.0.0.1', 1)).toBe(false);
  expect(allowed.allowsAddress('::1', 1)).toBe(true);
});
