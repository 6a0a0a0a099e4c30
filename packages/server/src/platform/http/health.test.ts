import { describe, expect, test } from 'vitest';
import { createMetrics } from '../metrics.ts';
import { startApp } from '../testing/http-app.ts';
import { registerHealth } from './health.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const READER = { authorization: `Bearer ${TOKEN}` };

test('not ready while a check fails, with a sentence for each and without internal errors', async () => {
  const { app } = await startApp((it) =>
    registerHealth(it, {
      registry: createMetrics().registry,
      metricsToken: null,
      checkTimeoutMs: 20,
      checks: [
        { name: 'model', check: async () => null },
        { name: 'migrations', check: async () => 'Run winnow migrate.' },
        { name: 'database', check: () => Promise.reject(new Error('password=hunter2')) },
        { name: 'worker', check: () => new Promise(() => undefined) },
      ],
    }),
  );
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({
    status: 'not_ready',
    missing: [
      { name: 'migrations', detail: 'Run winnow migrate.' },
      { name: 'database', detail: 'The check failed; the log has the reason.' },
      { name: 'worker', detail: 'No response within 20 ms.' },
    ],
  });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('ready if every check passes; the routes are not limited or logged', async () => {
  const { app, lines } = await startApp(
    (it) =>
      registerHealth(it, {
        registry: createMetrics().registry,
        metricsToken: TOKEN,
        checks: [{ name: 'database', check: async () => null }],
      }),
    { rateLimit: { max: 1, windowMs: 60_000 } },
  );
  for (const url of ['/readyz', '/healthz', '/metrics', '/readyz', '/healthz', '/metrics']) {
    expect((await app.inject({ url, headers: READER })).statusCode).toBe(200);
  }
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready', missing: [] });
  expect(lines).toEqual([]);
});

describe('the metrics', () => {
  async function ask(metricsToken: string | null, headers: Record<string, string>) {
    const { app } = await startApp(
      (it) => registerHealth(it, { registry: createMetrics().registry, metricsToken, checks: [] }),
      { trustProxy: ['loopback'] },
    );
    const answer = await app.inject({ url: '/metrics', headers, remoteAddress: '127.0.0.1' });
    return { status: answer.statusCode, asks: answer.headers['www-authenticate'], body: answer.body };
  }

  test.each([
    ['without a token', {}],
    ['with another token', { authorization: `Bearer ${TOKEN.replace('0', '1')}` }],
    ['with the beginning of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['with the token as a password', { authorization: `Basic ${btoa(`prometheus:${TOKEN}`)}` }],
    ['with a forged local address', { 'x-forwarded-for': '127.0.0.1' }],
  ])('are refused %s', async (_, headers) => {
    const { status, asks, body } = await ask(TOKEN, headers);
    expect([status, asks]).toEqual([401, 'Bearer']);
    expect(body).not.toContain('process_resident_memory_bytes');
  });

  test('do not exist without a configured token, whatever is sent', async () => {
    for (const headers of [{}, { authorization: 'Bearer null' }, READER]) {
      expect((await ask(null, headers)).status).toBe(404);
    }
  });

  test('are returned for the right token', async () => {
    const { status, body } = await ask(TOKEN, READER);
    expect([status, body]).toEqual([200, expect.stringContaining('process_resident_memory_bytes')]);
  });
});

test('count durations by route template, so that ids do not create series', async () => {
  const metrics = createMetrics();
  const { app } = await startApp(
    (it) => {
      registerHealth(it, { registry: metrics.registry, metricsToken: TOKEN, checks: [] });
      it.get('/api/v1/issues/:id', async () => ({}));
    },
    { metrics },
  );
  await app.inject('/api/v1/issues/11111111-1111-4111-8111-111111111111');
  await app.inject('/api/v1/issues/22222222-2222-4222-8222-222222222222');
  await app.inject('/wp-admin.php');
  const text = (await app.inject({ url: '/metrics', headers: READER })).body;
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/issues/:id",status="200"} 2',
  );
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
  expect(text).not.toMatch(/11111111|wp-admin/);
  expect(text).toContain('process_resident_memory_bytes');
});

test('concurrent callers share one run of the checks', async () => {
  let runs = 0;
  const check = async () => {
    runs += 1;
    return null;
  };
  const { app } = await startApp((it) =>
    registerHealth(it, {
      registry: createMetrics().registry,
      metricsToken: null,
      checks: [{ name: 'database', check }],
    }),
  );
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(runs).toBe(1);
  await expect.poll(async () => (await app.inject('/readyz')) && runs, { timeout: 5_000 }).toBe(2);
});
