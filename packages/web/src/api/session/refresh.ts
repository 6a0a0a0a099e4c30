import { tokenPair } from '@winnow/contract/account';
import { ApiError } from './api-error.ts';
import { SessionLost } from './session-lost.ts';
import type { TokenStore } from './token-store.ts';
import { readAnswer, type Transport } from './transport.ts';

/** Runs a task while no other tab runs one under the same name. */
export type ExclusiveRun = <T>(name: string, task: () => Promise<T>) => Promise<T>;

const LOCK_NAME = 'winnow-token-refresh';

/** Answers that say the refresh token is no good, as opposed to "ask again later". */
function refused(error: unknown): boolean {
  return error instanceof ApiError && [400, 401, 403, 404, 422].includes(error.status);
}

export type RefreshParts = { tokens: TokenStore; transport: Transport; exclusively: ExclusiveRun };

/**
 * Answers a function that turns an access token the server refused into one it accepts.
 *
 * All calls of this tab share one refresh, and all tabs share one lock: whoever gets the lock second finds the
 * token already replaced and spends nothing. The function throws {@link SessionLost}, with the tokens removed,
 * when the refresh token is missing or refused, and {@link ApiError} when the server could not answer (then the
 * session may still be good and the tokens stay).
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
    // Signed out (or in as somebody else) while we waited: the new pair must not bring the old session back.
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

/** {@link ExclusiveRun} over Web Locks; without them (an address that is not secure) the task simply runs. */
export function exclusiveRunOf(locks: LockManager | undefined): ExclusiveRun {
  if (locks === undefined) return (_name, task) => task();
  return async (name, task) => locks.request(name, task);
}
