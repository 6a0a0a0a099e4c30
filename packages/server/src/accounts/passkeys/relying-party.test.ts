import { expect, test } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

test.each([
  'http://192.0.2.7:4000',
  'https://192.0.2.7',
  'https://[2001:db8::1]',
  'http://winnow.example.org',
])('passkeys are not available at %s', (publicUrl) => {
  expect(relyingPartyOf(publicUrl)).toBeNull();
});

test.each([
  ['https://winnow.example.org', 'winnow.example.org', 'https://winnow.example.org'],
  ['https://winnow.example.org:8443', 'winnow.example.org', 'https://winnow.example.org:8443'],
  ['http://localhost:4000', 'localhost', 'http://localhost:4000'],
  ['http://127.0.0.1:4000', 'localhost', 'http://localhost:4000'],
  ['http://[::1]:4000', 'localhost', 'http://localhost:4000'],
])('passkeys of %s belong to %s', (publicUrl, id, origin) => {
  expect(relyingPartyOf(publicUrl)).toEqual({ id, origin });
});
