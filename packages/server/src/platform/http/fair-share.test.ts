import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../testing/eventually.ts';
import { unauthorized } from '../errors.ts';
import { startServer } from '../testing/http-app.ts';
import { type Authenticate, createAuthentication } from './auth.ts';
import { type FairShareLimits, shareFairly } from './fair-share.ts';

/**
 * Starts a server with a slow route, which waits for the promise of the calling account. The token
 * is the account id.
 */
async function start(limits: Partial<FairShareLimits> = {}) {
  const running: string[] = [];
  const gate = Promise.withResolvers<void>();
  const { origin } = await startServer((app) => {
    const authenticate: Authenticate = async (token) => {
      if (token === 'nobody') throw unauthorized();
      const ids = { accountId: token, homeId: token, userId: 'u', sessionId: 's' };
      return { kind: 'user', ...ids, role: 'viewer', permissions: new Set(['read']), lacksFactor: false };
    };
    const { authorize: onRequest } = createAuthentication(app, authenticate, {
      policy: { 'GET /api/v1/heavy': 'read', 'POST /api/v1/light': 'read' },
    });
    shareFairly(app, { perAccount: 2, waiting: 2, maxBlockMs: 0, ...limits });
    app.get('/api/v1/heavy', { config: { isHeavy: true }, onRequest }, async (request) => {
      running.push(request.principal?.accountId ?? '');
      await gate.promise;
      return {};
    });
    app.post(
      '/api/v1/light',
      { onRequest, schema: { body: z.object({ text: z.string() }) } },
      async (request) => {
        running.push(request.principal?.accountId ?? '');
        if (request.body.text.length > 1) await gate.promise;
        return {};
      },
    );
  });
  const headers = (account: string) => ({
    authorization: `Bearer ${account}`,
    'content-type': 'application/json',
  });
  const heavy = (account: string, signal?: AbortSignal) =>
    fetch(`${origin}/api/v1/heavy`, { headers: headers(account), ...(signal ? { signal } : {}) });
  const post = (account: string, text: string) =>
    fetch(`${origin}/api/v1/light`, {
      method: 'POST',
      headers: headers(account),
      body: JSON.stringify({ text }),
    });
  onTestFinished(() => gate.resolve());
  return { running, gate, heavy, post };
}

test('runs two heavy calls per account, lets two wait, and refuses further calls with a retry time', async () => {
  const { running, gate, heavy, post } = await start();
  const calls = Array.from({ length: 4 }, () => heavy('busy'));
  await eventually(() => running.length === 2);
  const refused = await heavy('busy');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
  expect((await post('busy', 'a')).status).toBe(200);
  const others = [heavy('other'), heavy('other')];
  await eventually(() => running.filter((account) => account === 'other').length === 2);
  gate.resolve();
  const answers = await Promise.all([...calls, ...others]);
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
});

test('treats a call with a large body as heavy on any route', async () => {
  const { running, gate, post } = await start({ largeBodyBytes: 1_000 });
  const calls = Array.from({ length: 3 }, () => post('busy', 'x'.repeat(1_000)));
  await eventually(() => running.length === 2);
  expect((await post('busy', 'x')).status).toBe(200);
  expect(running).toHaveLength(3);
  gate.resolve();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('releases the slot and the queue position of a client that disconnects', async () => {
  const { running, gate, heavy } = await start({ perAccount: 1, waiting: 1 });
  const leave = new AbortController();
  const first = heavy('busy', leave.signal).catch(() => null);
  await eventually(() => running.length === 1);
  const waiting = new AbortController();
  const second = heavy('busy', waiting.signal).catch(() => null);
  await eventually(async () => (await heavy('busy')).status === 429);
  waiting.abort();
  await second;
  leave.abort();
  await first;
  const third = heavy('busy');
  await eventually(() => running.length === 2);
  gate.resolve();
  expect((await third).status).toBe(200);
});

test('refuses a call that waits too long for a slot, with a retry time', async () => {
  const { running, heavy } = await start({ perAccount: 1, waitMs: 50 });
  void heavy('busy').catch(() => null);
  await eventually(() => running.length === 1);
  expect((await heavy('busy')).status).toBe(429);
});
