import { tokenPair } from '@winnow/contract/account';
import type { z } from 'zod';

/** A client of the product's API for a signed-in user. */
export interface Api {
  accessToken: string;
  refreshToken: string;
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  send<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    schema: z.ZodType<T>,
  ): Promise<T>;
}

/**
 * Password of every registered user. It does not contain a username, because rating such a password
 * would take ten times as long.
 */
export const PASSWORD = 'correct horse battery';

/** Registers a user with {@link PASSWORD} and signs in. */
export async function registerAndSignIn(url: string, name: string): Promise<Api> {
  const user = { username: name, email: `${name}@example.com`, password: PASSWORD };
  await call(url, 'POST', '/auth/register', user, null);
  return signIn(url, name, PASSWORD);
}

/**
 * Signs in and starts a session. Its access token is valid for 15 minutes. The client checks every
 * response with the contract.
 */
export async function signIn(url: string, username: string, password: string): Promise<Api> {
  const tokens = tokenPair.parse(await call(url, 'POST', '/auth/token/json', { username, password }, null));
  const { access_token: accessToken, refresh_token: refreshToken } = tokens;
  return {
    accessToken,
    refreshToken,
    get: async (path, schema) => schema.parse(await call(url, 'GET', path, undefined, accessToken)),
    send: async (method, path, body, schema) =>
      schema.parse(await call(url, method, path, body, accessToken)),
  };
}

async function call(
  url: string,
  method: string,
  path: string,
  body: unknown,
  token: string | null,
): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Calls `read` repeatedly until it returns a value other than null. Throws after `timeoutMs`. */
export async function eventually<T>(
  read: () => Promise<T | null>,
  options: { timeoutMs: number; everyMs?: number },
): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    const answer = await read();
    if (answer !== null) return answer;
    if (performance.now() > deadline)
      throw new Error(`The expected value did not appear within ${options.timeoutMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 100));
  }
}
