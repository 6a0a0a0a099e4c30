import type { TokenPair } from '@winnow/contract/account';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createRefresher, type ExclusiveRun, exclusiveRunOf } from './refresh.ts';
import { SessionLost } from './session-lost.ts';
import { createTokenStore, type KeyValueStorage, type TokenStore } from './token-store.ts';
import { createTransport } from './transport.ts';

function memoryStorage(): KeyValueStorage {
  const stored = new Map<string, string>();
  return {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => void stored.set(name, value),
    removeItem: (name) => void stored.delete(name),
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

/**
 * Creates a lock shared by all simulated tabs. Tasks with the same name run one after the other.
 */
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

/** Creates a server that replaces refresh tokens with every use and records used tokens. */
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

  test('ends the session without a request if the refresh token is missing', async () => {
    storage.removeItem('refreshToken');
    await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
    expect(server.spent).toEqual([]);
    expect(tokens.accessToken()).toBeNull();
  });

  test.each([400, 401, 403, 422])(
    'ends the session and removes both tokens after a refusal (%i)',
    async (status) => {
      server.answer = failure(status);
      await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
      expect(tokens.accessToken()).toBeNull();
      expect(tokens.refreshToken()).toBeNull();
    },
  );

  test.each([429, 500, 503])('keeps the session after a temporary error (%i)', async (status) => {
    server.answer = failure(status);
    await expect(tab()('access-1')).rejects.toBeInstanceOf(ApiError);
    expect(tokens.refreshToken()).toBe('refresh-1');
  });

  test('keeps the session without a network', async () => {
    const refresh = createRefresher({
      tokens,
      transport: createTransport(() => Promise.reject(new TypeError('offline'))),
      exclusively: lock,
    });
    await expect(refresh('access-1')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    expect(tokens.accessToken()).toBe('access-1');
  });

  test('does not restore the session after signing out during a refresh', async () => {
    server.whileAnswering = () => tokens.clear('lost');
    await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
    expect(tokens.accessToken()).toBeNull();
  });

  test('does not end a new session started during a refused refresh', async () => {
    server.answer = failure(401);
    server.whileAnswering = () => tokens.save(pair(9));
    await expect(tab()('access-1')).rejects.toBeInstanceOf(SessionLost);
    expect(tokens.accessToken()).toBe('access-9');
  });

  test('spends one refresh token for concurrent requests of one tab', async () => {
    const refresh = tab();
    const renewed = await Promise.all([refresh('access-1'), refresh('access-1'), refresh('access-1')]);
    expect(renewed).toEqual(['access-2', 'access-2', 'access-2']);
    expect(server.spent).toEqual(['refresh-1']);
  });

  test('spends one refresh token across tabs', async () => {
    const renewed = await Promise.all([tab()('access-1'), tab()('access-1'), tab()('access-1')]);
    expect(renewed).toEqual(['access-2', 'access-2', 'access-2']);
    expect(server.spent).toEqual(['refresh-1']);
  });

  test('refreshes again after a later refusal', async () => {
    const refresh = tab();
    await refresh('access-1');
    expect(await refresh('access-2')).toBe('access-3');
    expect(server.spent).toEqual(['refresh-1', 'refresh-2']);
  });

  test('stores the new tokens with their expiry', async () => {
    await tab()('access-1');
    expect(tokens.refreshToken()).toBe('refresh-2');
    expect(tokens.expiresAt()).toBe(1_000_000 + 900_000);
  });

  test('refreshes without Web Locks', async () => {
    lock = exclusiveRunOf(undefined);
    expect(await tab()('access-1')).toBe('access-2');
  });
});
