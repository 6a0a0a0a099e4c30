import { describe, expect, test } from 'vitest';
import { explainResponse, messageOf } from './failures.ts';

const now = new Date('2024-05-01T12:00:00Z');
const context = { name: 'GitHub', subject: 'the repository acme/app', now };

function explain(status: number, options: { headers?: Record<string, string>; message?: string } = {}) {
  const headers = new Headers(options.headers);
  const body = options.message === undefined ? '' : JSON.stringify({ message: options.message });
  return explainResponse({ status, headers, body }, context);
}

describe('an unsuccessful response', () => {
  test.each([
    [401, 'unauthorized', 'GitHub did not accept this token.'],
    [403, 'forbidden', 'This token is not allowed to access the repository acme/app in GitHub.'],
    [404, 'not_found', 'GitHub could not find the repository acme/app, or this token cannot access it.'],
    [410, 'not_found', 'GitHub has deleted the repository acme/app.'],
    [422, 'invalid', 'GitHub refused the request (422).'],
    [451, 'forbidden', 'for legal reasons'],
    [500, 'server_error', 'GitHub had an internal error (500).'],
    [502, 'server_error', 'GitHub had an internal error (502).'],
  ] as const)('with status %i is %s, with an explanation', (status, code, words) => {
    const error = explain(status);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  test('names the permission that a fine-grained token lacks', () => {
    const error = explain(403, {
      headers: { 'x-accepted-github-permissions': 'issues=write,contents=read; pull_requests=write' },
      message: 'Resource not accessible by personal access token',
    });
    expect(error.message).toContain('it lacks Issues: write and Contents: read.');
  });

  test('asks for single sign-on if the organization requires it', () => {
    const headers = { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso' };
    expect(explain(403, { headers }).message).toContain('single sign-on');
  });
});

describe('a rate limit', () => {
  test.each([
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1714565700' }, '2024-05-01T12:15:00.000Z'],
    [429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1714565700' }, '2024-05-01T12:15:00.000Z'],
    [403, { 'retry-after': '30' }, '2024-05-01T12:00:30.000Z'],
    [429, { 'retry-after': 'Wed, 01 May 2024 12:02:00 GMT' }, '2024-05-01T12:02:00.000Z'],
    [429, { 'retry-after': 'nonsense' }, '2024-05-01T12:01:00.000Z'],
    [429, {}, '2024-05-01T12:01:00.000Z'],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, '2024-05-01T12:00:01.000Z'],
  ])('with status %i and %j ends at the given time, or after a minute', (status, headers, retryAt) => {
    const error = explain(status, { headers: headers as Record<string, string> });
    expect(error.code).toBe('rate_limited');
    expect(error.retryAt?.toISOString()).toBe(retryAt);
    expect(error.message).toContain(retryAt.slice(11, 19));
  });

  test('of the secondary kind is recognized by its message alone', () => {
    const error = explain(403, { message: 'You have exceeded a secondary rate limit. Please wait.' });
    expect([error.code, error.retryAt?.toISOString()]).toEqual(['rate_limited', '2024-05-01T12:01:00.000Z']);
  });

  test('is not assumed while requests remain', () => {
    const headers = { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1714565700' };
    expect(explain(403, { headers, message: 'Must have admin rights.' }).code).toBe('forbidden');
  });
});

describe('the message from GitHub', () => {
  test.each([[''], ['<html>'], ['[]'], ['{"message":5}'], ['null']])('is empty for %s', (body) => {
    expect(messageOf(body)).toBe('');
  });

  test('is its first line without control characters, truncated to 200 characters', () => {
    const message = `Bad\u0000 \u001b[31mthing${'x'.repeat(500)}\nsecond line`;
    const said = messageOf(JSON.stringify({ message }));
    expect(said.startsWith('Bad [31mthing')).toBe(true);
    expect([...said]).toHaveLength(200);
    expect(said).not.toContain('second');
  });

  test('includes the first detail of a failed validation', () => {
    const body = { message: 'Validation Failed', errors: [{ field: 'state', message: 'is not known' }] };
    expect(messageOf(JSON.stringify(body))).toBe('Validation Failed: is not known');
  });
});
