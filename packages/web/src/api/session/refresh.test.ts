import type { TokenPair } from '@winnow/contract/account';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createRefresher, type ExclusiveRun, exclusiveRunOf } from './refresh.ts';
import { SessionLost } from './session-lost.ts';
import { createTokenStore, type KeyValueStorage, type TokenStore } from './token-store.ts';
import { createTransport } from './transport.ts';

function memoryStorage(): KeyValueStorage {
  const held = new Map<string, string>();
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  };
}

function pair(generation: number): TokenPair {
  return {
    access_token: `access-${generation}`,
    refresh_token: `refresh-${generation}`,
    token_type: 'bearer',
    expires_in: 900,
  };
}

/** Runs tasks of one name one after the other, over all tabs that share it. */
function sharedLock(): ExclusiveRun {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, task) => {
    const mine = last.then(task, task);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function failure(status: number): Response {
  return Response.json({ detail: 'No.', code: 'refused', request_id: 'r' }, { status });
}

/** A server with rotating refresh tokens that counts how many were spent. */
function rotatingServer() {
  const server = {
    spent: [] as string[],
    answer: null as Response | null,
    whileAnswering: null as (() => void) | null,
    fetch: async (_address: unknown, init?: RequestInit) => {
      const { refresh_token } = JSON.parse(String(init?.body));
      server.spent.push(refresh_token);
      await Promise.resolve();
      server.whileAnswering?.();
      return server.answer ?? Response.json(pair(server.spent.length + 1));
    },
  };
  return server;
}

describe('refreshing', () => {
  let storage: KeyValueStorage;
  let tokens: TokenStore;
  let server: ReturnType<typeof rotatingServer>;
  let lock: ExclusiveRun;
  const tab = () => createRefresher({ tokens, transport: createTransport(server.fetch), exclusively: lock });

  beforeEach(() => {
    storage = memoryStorage();
    tokens = createTokenStore(storage, () => 1_000_000);
    server = rotatingServer();
    lock = sharedLock();
    tokens.save(pair(1));
  });

  test('a missing refresh token loses the session without asking the server', async () => {
    storage.removeItem('refreshToken');
    await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
    expect(server.spent).toEqual([]);
    expect(tokens.accessToken()).toBeNull();
  });

  test.each([400, 401, 403, 422])(
    'a refusal (%i) loses the session and removes both tokens',
    async (status) => {
      server.answer = failure(status);
      await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
      expect(tokens.accessToken()).toBeNull();
      expect(tokens.refreshToken()).toBeNull();
    },
  );

  test.each([429, 500, 503])('a server that cannot answer (%i) keeps the session', async (status) => {
    server.answer = failure(status);
    await expect(tab()('access-1')).rejects.toBeInstanceOf(ApiError);
    expect(tokens.refreshToken()).toBe('refresh-1');
  });

  test('no network keeps the session', async () => {
    const refresh = createRefresher({
      tokens,
      transport: createTransport(() => Promise.reject(new TypeError('offline'))),
      exclusively: lock,
    });
    await expect(refresh('access-1')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    expect(tokens.accessToken()).toBe('access-1');
  });

  test('signing out while the server answers does not bring the session back', async () => {
    server.whileAnswering = () => tokens.clear('lost');
    await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
    expect(tokens.accessToken()).toBeNull();
  });

  test('signing in as somebody else while the server refuses does not end the new session', async () => {
    server.answer = failure(401);
    server.whileAnswering = () => tokens.save(pair(9));
    await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
    expect(tokens.accessToken()).toBe('access-9');
  });

  test('many calls of one tab spend one refresh token', async () => {
    const refresh = tab();
    const renewed = await Promise.all([refresh('access-1'), refresh('access-1'), refresh('access-1')]);
    expect(renewed).toEqual(['access-2', 'access-2', 'access-2']);
    expect(server.spent).toEqual(['refresh-1']);
  });

  test('many tabs spend one refresh token: who comes second finds the new one', async () => {
    const renewed = await Promise.all([tab()('access-1'), tab()('access-1'), tab()('access-1')]);
    expect(renewed).toEqual(['access-2', 'access-2', 'access-2']);
    expect(server.spent).toEqual(['refresh-1']);
  });

  test('a later refusal refreshes again', async () => {
    const refresh = tab();
    await refresh('access-1');
    expect(await refresh('access-2')).toBe('access-3');
    expect(server.spent).toEqual(['refresh-1', 'refresh-2']);
  });

  test('the new pair is kept with its expiry', async () => {
    await tab()('access-1');
    expect(tokens.refreshToken()).toBe('refresh-2');
    expect(tokens.expiresAt()).toBe(1_000_000 + 900_000);
  });

  test('without Web Locks the refresh still runs', async () => {
    lock = exclusiveRunOf(undefined);
    expect(await tab()('access-1')).toBe('access-2');
  });
});
