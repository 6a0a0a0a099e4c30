import { tokenPair } from '@winnow/contract/account';
import { ApiError } from './api-error.ts';
import { SessionLost } from './session-lost.ts';
import type { TokenStore } from './token-store.ts';
import { readAnswer, type Transport } from './transport.ts';

/** Runs a task while no other tab runs a task with the same name. */
export type ExclusiveRun = <T>(name: string, task: () => Promise<T>) => Promise<T>;

const LOCK_NAME = 'winnow-token-refresh';

/** True if the server rejects the refresh token. False for a temporary error. */
function refused(error: unknown): boolean {
  return error instanceof ApiError && [400, 401, 403, 404, 422].includes(error.status);
}

export type RefreshParts = { tokens: TokenStore; transport: Transport; exclusively: ExclusiveRun };

/**
 * Creates the function that replaces an access token refused by the server.
 * All requests of a tab share one refresh, and all tabs share one lock. A tab that waited for the
 * lock uses the new token and does not refresh again.
 * If the refresh token is missing or refused, the function removes the tokens and throws {@link
 * SessionLost}. After a temporary error, it retains the tokens and throws {@link ApiError}.
 */
export function createRefresher({ tokens, transport, exclusively }: RefreshParts) {
  let running: Promise<string> | null = null;

  async function refreshOnce(refused401: string): Promise<string> {
    const current = tokens.accessToken();
    if (current !== null && current !== refused401) return current;
    const spent = tokens.refreshToken();
    if (spent === null) {
      tokens.clear('lost');
      throw new SessionLost();
    }
    let answer: Response;
    try {
      answer = await transport('POST', '/auth/refresh', { body: { refresh_token: spent } });
    } catch (error) {
      if (!refused(error)) throw error;
      if (tokens.refreshToken() === spent) tokens.clear('lost');
      throw new SessionLost();
    }
    const pair = await readAnswer(answer, tokenPair);
    // The user signed out, or signed in again, during the refresh. The new tokens must not restore
    // the old session.
    if (tokens.refreshToken() !== spent) {
      const replaced = tokens.accessToken();
      if (replaced === null) throw new SessionLost();
      return replaced;
    }
    tokens.save(pair);
    return pair.access_token;
  }

  return function refresh(refused401: string): Promise<string> {
    running ??= exclusively(LOCK_NAME, () => refreshOnce(refused401)).finally(() => {
      running = null;
    });
    return running;
  };
}

/**
 * Creates an {@link ExclusiveRun} that uses Web Locks. Insecure origins have no Web Locks; there
 * the task runs without a lock.
 */
export function exclusiveRunOf(locks: LockManager | undefined): ExclusiveRun {
  if (locks === undefined) return (_name, task) => task();
  return async (name, task) => locks.request(name, task);
}
