import { expect, test } from 'vitest';
import { createMetrics } from '../metrics.ts';
import { registerHealth } from './health.ts';
import { startApp } from './test-app.ts';

test('not ready while any part is missing, with a sentence for each and no inside of an error', async () => {
  const { app } = await startApp((it) =>
    registerHealth(it, {
      registry: createMetrics().registry,
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
      { name: 'database', detail: 'It could not be checked; the log says why.' },
      { name: 'worker', detail: 'It did not answer within 20 ms.' },
    ],
  });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('ready when every check passes; none of the three is limited or fills the log', async () => {
  const { app, lines } = await startApp(
    (it) =>
      registerHealth(it, {
        registry: createMetrics().registry,
        checks: [{ name: 'database', check: async () => null }],
      }),
    { rateLimit: { max: 1, windowMs: 60_000 } },
  );
  for (const url of ['/readyz', '/healthz', '/metrics', '/readyz', '/healthz', '/metrics']) {
    expect((await app.inject(url)).statusCode).toBe(200);
  }
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready', missing: [] });
  expect(lines).toEqual([]);
});

test('durations are counted by route template, so that ids never become series', async () => {
  const metrics = createMetrics();
  const { app } = await startApp(
    (it) => {
      registerHealth(it, { registry: metrics.registry, checks: [] });
      it.get('/api/v1/issues/:id', async () => ({}));
    },
    { metrics },
  );
  await app.inject('/api/v1/issues/11111111-1111-4111-8111-111111111111');
  await app.inject('/api/v1/issues/22222222-2222-4222-8222-222222222222');
  await app.inject('/wp-admin.php');
  const text = (await app.inject('/metrics')).body;
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/issues/:id",status="200"} 2',
  );
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
  expect(text).not.toMatch(/11111111|wp-admin/);
  expect(text).toContain('process_resident_memory_bytes');
});
