import { expect, test } from 'vitest';
import { unauthorized } from '../errors.ts';
import { startApp } from '../testing/http-app.ts';
import type { App } from './app.ts';
import { createAuthentication } from './auth.ts';

function routes(app: App) {
  app.get('/api/v1/usual', async () => ({}));
  app.get('/api/v1/narrow', { config: { rateLimit: { max: 1, timeWindow: 60_000 } } }, async () => ({}));
  app.get('/api/v1/free', { config: { rateLimit: false } }, async () => ({}));
}

const TWO_PER_MINUTE = { rateLimit: { max: 2, windowMs: 60_000 } };

test('refuses requests beyond the limit with the time to wait, even for unknown paths', async () => {
  const { app } = await startApp(routes, TWO_PER_MINUTE);
  expect((await app.inject('/api/v1/usual')).statusCode).toBe(200);
  expect((await app.inject('/api/v1/nothing')).statusCode).toBe(404);
  for (const url of ['/api/v1/usual', '/api/v1/nothing', '/mcp/nothing']) {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(answer.json().detail).toMatch(/^Too many requests\. Try again in \d+ seconds\.$/);
  }
});

test('does not count pages and their files', async () => {
  const { app } = await startApp(routes, TWO_PER_MINUTE);
  for (let time = 0; time < 5; time += 1) expect((await app.inject('/assets/part.js')).statusCode).toBe(404);
  expect((await app.inject('/api/v1/usual')).statusCode).toBe(200);
});

test('counts all requests except reads outside the API, with or without a route', async () => {
  const { app } = await startApp((it) => {
    it.post('/register', async () => ({}));
  }, TWO_PER_MINUTE);
  const statuses: number[] = [];
  for (const url of ['/nothing', '/register', '/nothing', '/register', '/api/v1/nothing']) {
    statuses.push((await app.inject({ method: 'POST', url })).statusCode);
  }
  expect(statuses).toEqual([404, 200, 429, 429, 429]);
});

test('limits requests with invalid tokens before the tokens are looked up', async () => {
  let lookups = 0;
  const { app } = await startApp((it) => {
    const authenticate = async () => {
      lookups += 1;
      throw unauthorized();
    };
    const { authorize } = createAuthentication(it, authenticate, {
      policy: { 'GET /api/v1/mine': 'self', 'GET /api/v1/narrow': 'self' },
    });
    it.get('/api/v1/mine', { onRequest: authorize }, async () => ({}));
    it.get(
      '/api/v1/narrow',
      { onRequest: [authorize], config: { rateLimit: { max: 1, timeWindow: 60_000 } } },
      async () => ({}),
    );
  }, TWO_PER_MINUTE);
  const headers = { authorization: 'Bearer wrong' };
  const statuses = async (url: string, times: number) => {
    const all: number[] = [];
    for (let time = 0; time < times; time += 1) all.push((await app.inject({ url, headers })).statusCode);
    return all;
  };
  expect(await statuses('/api/v1/mine', 4)).toEqual([401, 401, 429, 429]);
  expect(await statuses('/api/v1/narrow', 3)).toEqual([401, 429, 429]);
  expect(lookups).toBe(3);
});

test('lets a route set its own limit, or none', async () => {
  const { app } = await startApp(routes, TWO_PER_MINUTE);
  expect((await app.inject('/api/v1/narrow')).statusCode).toBe(200);
  expect((await app.inject('/api/v1/narrow')).statusCode).toBe(429);
  expect((await app.inject('/api/v1/usual')).statusCode).toBe(200);
  for (let time = 0; time < 5; time += 1) expect((await app.inject('/api/v1/free')).statusCode).toBe(200);
});

test('counts each address separately, and ignores a forged forwarding header', async () => {
  const spent = async (trustProxy: false | number | string[], forwarded: (turn: number) => string) => {
    const { app } = await startApp(routes, { ...TWO_PER_MINUTE, trustProxy });
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const headers = { 'x-forwarded-for': forwarded(turn) };
      statuses.push(
        (await app.inject({ url: '/api/v1/usual', headers, remoteAddress: '10.0.0.9' })).statusCode,
      );
    }
    return statuses;
  };
  const limited = [200, 200, 429, 429];
  const free = [200, 200, 200, 200];
  expect(await spent(false, (turn) => `1.2.3.${turn}`)).toEqual(limited);
  expect(await spent(1, (turn) => `1.2.3.${turn}`)).toEqual(free);
  expect(await spent(1, (turn) => `1.2.3.${turn}, 5.6.7.8`)).toEqual(limited);
  expect(await spent(['10.0.0.0/8'], (turn) => `1.2.3.${turn}`)).toEqual(free);
  expect(await spent(['192.168.0.0/16'], (turn) => `1.2.3.${turn}`)).toEqual(limited);
  expect(await spent(1, (turn) => `2001:db8:1:2::${turn + 1}`)).toEqual(limited);
});

test('limits a route outside the API only if it sets a limit', async () => {
  const { app } = await startApp((it) => {
    it.get('/logout', { config: { rateLimit: { max: 2, timeWindow: 60_000 } } }, async () => ({}));
    it.get('/pricing', async () => ({}));
  });
  const statuses = async (url: string) => {
    const answers = [await app.inject(url), await app.inject(url), await app.inject(url)];
    return answers.map(({ statusCode }) => statusCode);
  };
  expect(await statuses('/logout')).toEqual([200, 200, 429]);
  expect(await statuses('/pricing')).toEqual([200, 200, 200]);
});
