import { describe, expect, test } from 'vitest';
import { explainResponse, messageOf } from './failures.ts';

const now = new Date('2024-05-01T12:00:00Z');
const context = { name: 'GitLab', subject: 'the project acme/app', now };

function explain(status: number, options: { headers?: Record<string, string>; body?: unknown } = {}) {
  const { body = '' } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return explainResponse({ status, headers: new Headers(options.headers), body: text }, context);
}

describe('an unsuccessful response', () => {
  test.each([
    [401, 'unauthorized', 'GitLab did not accept this token.'],
    [403, 'forbidden', 'This token is not allowed to access the project acme/app in GitLab.'],
    [404, 'not_found', 'GitLab could not find the project acme/app, or this token cannot access it.'],
    [405, 'invalid', 'GitLab refused the request (405).'],
    [409, 'invalid', 'GitLab refused the request (409).'],
    [422, 'invalid', 'GitLab refused the request (422).'],
    [502, 'server_error', 'GitLab had an internal error (502).'],
  ] as const)('with status %i is %s, with an explanation', (status, code, words) => {
    const error = explain(status);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  test('names the scope that a token lacks', () => {
    const error = explain(403, {
      body: { error: 'insufficient_scope', error_description: '…', scope: 'api read_api' },
    });
    expect([error.code, error.message]).toEqual([
      'forbidden',
      'GitLab requires a token with the scope api or read_api to access the project acme/app.',
    ]);
  });
});

describe('a rate limit', () => {
  test.each([
    [{ 'retry-after': '30', 'ratelimit-reset': '1714565700' }, '2024-05-01T12:00:30.000Z'],
    [{ 'ratelimit-reset': '1714565700' }, '2024-05-01T12:15:00.000Z'],
    [{ 'ratelimit-reset': '1' }, '2024-05-01T12:00:01.000Z'],
    [{}, '2024-05-01T12:01:00.000Z'],
  ])('with %j ends at the given time, or after a minute', (headers, retryAt) => {
    const error = explain(429, { headers: headers as Record<string, string>, body: 'Retry later\n' });
    expect([error.code, error.retryAt?.toISOString()]).toEqual(['rate_limited', retryAt]);
  });

  test('is not assumed while requests remain or without headers', () => {
    expect(explain(403, { headers: { 'ratelimit-remaining': '0' } }).code).toBe('forbidden');
  });
});

describe('the message from GitLab', () => {
  test.each([
    ['', ''],
    ['<html>', ''],
    ['[]', ''],
    ['{"message":5}', ''],
    ['{"message":"404 Not Found"}', ''],
    ['{"message":"404 Project Not Found"}', '404 Project Not Found'],
    ['{"message":"403 Forbidden - the project is archived"}', 'the project is archived'],
    [
      '{"message":{"title":["is too long (maximum is 255 characters)"]}}',
      'title is too long (maximum is 255 characters)',
    ],
    ['{"message":{"base":["Spam"]}}', 'Spam'],
    ['{"error":"title is missing"}', 'title is missing'],
    ['{"error":["Url is blocked"]}', 'Url is blocked'],
    ['{"error":"invalid_token","error_description":"Token is expired."}', 'Token is expired.'],
  ])('in %s is %j', (body, said) => {
    expect(messageOf(body)).toBe(said);
  });

  test('is its first line without control characters, truncated to 200 characters', () => {
    const said = messageOf(JSON.stringify({ message: `Bad\u0000 \u001b[31mthing${'x'.repeat(500)}\nmore` }));
    expect(said.startsWith('Bad [31mthing')).toBe(true);
    expect([...said]).toHaveLength(200);
  });
});
