import { describe, expect, test } from 'vitest';
import type { LogLevel } from './config.ts';
import { openLog, withLogFields } from './log.ts';

function openTestLog(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = openLog({ level, destination: { write: (line) => void lines.push(line) } });
  return {
    log,
    text: () => lines.join(''),
    entries: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
  };
}

describe('redacts secrets', () => {
  const secret = 'ghp_s3cr3tS3cr3tS3cr3t';

  test.each([
    ['authorization', { authorization: secret }],
    ['a header deep inside', { request: { headers: { Authorization: secret, 'Set-Cookie': secret } } }],
    ['camel case', { apiKey: secret, refreshToken: secret, secretKey: secret, sealedKey: secret }],
    ['snake case', { api_key: secret, access_token: secret, client_secret: secret, new_password: secret }],
    ['an upper-case variable', { SECRET_KEY: secret, 'X-Refresh-Token': secret }],
    ['an object under a secret name', { credentials: { user: secret } }],
    ['a list under a secret name', { tokens: [secret] }],
    ['a harmless name', { said: `401 for Bearer ${secret}` }],
    ['an address', { url: `https://me:${secret}@host/x?token=${secret}&page=2` }],
  ])('%s', (_, fields) => {
    const { log, text } = openTestLog();
    log.info(fields, 'Called.');
    expect(text()).not.toContain('s3cr3t');
    expect(text()).toContain('[redacted]');
  });

  test('in an error, its cause, its fields and its stack', () => {
    const { log, text } = openTestLog();
    const error = Object.assign(new Error(`refused ${secret}`, { cause: new Error(`was ${secret}`) }), {
      headers: { authorization: 'plain-looking-s3cr3t' },
    });
    log.error(error);
    log.error({ error }, 'Again.');
    expect(text()).not.toContain('s3cr3t');
    expect(text()).toContain('refused');
  });

  test('in the sentence and in fields of a child logger', () => {
    const { log, text } = openTestLog();
    log.child({ token: secret }).info(`Signed in with ${secret}.`);
    expect(text()).not.toContain('s3cr3t');
  });
});

describe('a line', () => {
  test('contains type, message, stack and cause of an error under either name', () => {
    const { log, entries } = openTestLog();
    const error = new TypeError('Broken.', { cause: new RangeError('Too far.') });
    log.error({ error, err: error }, 'Failed.');
    const told = {
      type: 'TypeError',
      message: 'Broken.: Too far.',
      stack: expect.stringContaining('log.test.ts'),
    };
    expect(entries()).toMatchObject([{ error: told, err: told, message: 'Failed.' }]);
  });

  test('is one JSON object with level, time, message and fields', () => {
    const { log, entries } = openTestLog();
    log.warn({ tracker: 'a', tokens: 12 }, 'Slow.');
    expect(entries()).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        tracker: 'a',
        tokens: 12,
        message: 'Slow.',
      },
    ]);
  });

  test('contains the fields of its context, and of no other', async () => {
    const { log, entries } = openTestLog();
    await Promise.all(
      ['r1', 'r2'].map((id) =>
        withLogFields({ request_id: id }, async () => {
          await Promise.resolve();
          withLogFields({ job_id: 7 }, () => log.info({ own: id }, 'Working.'));
        }),
      ),
    );
    log.info('Outside.');
    expect(entries()).toMatchObject([
      { request_id: 'r1', job_id: 7, own: 'r1' },
      { request_id: 'r2', job_id: 7, own: 'r2' },
      { message: 'Outside.' },
    ]);
    expect(entries()[2]).not.toHaveProperty('request_id');
  });

  test('is bounded in size, even with circular values', () => {
    const { log, text } = openTestLog();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    log.info({ circle, long: 'x'.repeat(1_000_000), list: Array.from({ length: 100_000 }, (_, i) => i) });
    expect(text().length).toBeLessThan(20_000);
  });

  test('contains only the class name of an instance', () => {
    const { log, text } = openTestLog();
    log.info({ error: Object.assign(new Error('Lost.'), { client: new Map([['key', 'inside']]) }) }, 'Lost.');
    expect(text()).toContain('[Map]');
    expect(text()).not.toContain('inside');
  });

  test('below the level is not written', () => {
    const { log, text } = openTestLog('warn');
    log.info('Quiet.');
    expect(text()).toBe('');
  });
});
