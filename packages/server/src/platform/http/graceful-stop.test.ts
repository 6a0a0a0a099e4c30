import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createMetrics } from '../metrics.ts';
import { startServer } from '../testing/http-app.ts';
import { registerHealth } from './health.ts';

function slowRoute() {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  return {
    entered: entered.promise,
    release: release.resolve,
    enter: entered.resolve,
    released: release.promise,
  };
}

test('while stopping, pending requests complete, and new ones on open connections are refused', async () => {
  const slow = slowRoute();
  const { app, port } = await startServer((it) => {
    registerHealth(it, { registry: createMetrics().registry, metricsToken: null, checks: [] });
    it.get('/api/v1/slow', async () => {
      slow.enter();
      await slow.released;
      return { done: true };
    });
    it.get('/api/v1/quick', async () => ({}));
    // Keeps the server in the first phase of stopping, in which new requests can still arrive.
    it.addHook('preClose', async () => slow.released);
  });
  const running = fetch(`http://127.0.0.1:${port}/api/v1/slow`);
  await slow.entered;
  const closed = app.close();

  const turnedAway = await fetch(`http://127.0.0.1:${port}/api/v1/quick`);
  expect(turnedAway.status).toBe(503);
  expect(turnedAway.headers.get('connection')).toBe('close');
  expect(turnedAway.headers.get('retry-after')).toBe('5');
  expect(await turnedAway.json()).toMatchObject({ code: 'stopping', request_id: expect.any(String) });
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);

  slow.release();
  expect(await (await running).json()).toEqual({ done: true });
  await closed;
  await expect(fetch(`http://127.0.0.1:${port}/api/v1/quick`)).rejects.toThrow();
});

test('an endless request does not delay the stop beyond the grace period', async () => {
  const slow = slowRoute();
  const { app, port } = await startServer(
    (it) =>
      it.get('/api/v1/slow', async () => {
        slow.enter();
        await slow.released;
        return {};
      }),
    { closeGraceMs: 30 },
  );
  const running = fetch(`http://127.0.0.1:${port}/api/v1/slow`);
  const failed = expect(running).rejects.toThrow();
  await slow.entered;
  await app.close();
  await failed;
  slow.release();
});

test('idle and silent connections do not delay the stop', async () => {
  // The grace period is longer than the test's timeout, so the test fails if the stop waits for it.
  const { app, port } = await startServer((it) => it.get('/api/v1/quick', async () => ({})), {
    closeGraceMs: 600_000,
  });
  const agent = new Agent({ keepAlive: true });
  const call = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/quick', agent });
  call.end();
  const [answer] = await once(call, 'response');
  answer.resume();
  await once(answer, 'end');
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const silentClosed = once(silent, 'close');
  await app.close();
  await silentClosed;
  agent.destroy();
});

test('an unsupported upgrade gets a response instead of hanging', async () => {
  const { port } = await startServer((it) => it.get('/api/v1/quick', async () => ({ ok: true })));
  const call = httpRequest({
    port,
    host: '127.0.0.1',
    path: '/api/v1/quick',
    headers: { connection: 'upgrade', upgrade: 'h2c' },
  });
  call.end();
  const [answer] = await once(call, 'response');
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await once(answer, 'end');
});
