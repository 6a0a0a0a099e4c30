import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import { SessionLost } from './session-lost.ts';
import type { TokenStore } from './token-store.ts';
import { type Method, type QueryValue, readAnswer, type Transport } from './transport.ts';

type CallOptions = {
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal;
};

/**
 * Sends a request. `path` is below `/api/v1`. Returns the response body, parsed with `schema`.
 * Without a schema, the body is not read. Throws `ApiError` or `SessionLost`.
 */
export type Api = {
  <S extends z.ZodType>(
    method: Method,
    path: string,
    options: CallOptions & { schema: S },
  ): Promise<z.output<S>>;
  /** Passes the response to `read`, which can stream the body. Returns the result of `read`. */
  <T>(
    method: Method,
    path: string,
    options: CallOptions & { read: (response: Response) => Promise<T> },
  ): Promise<T>;
  (method: Method, path: string, options?: CallOptions): Promise<void>;
};

type Send = (method: Method, path: string, options: CallOptions) => Promise<Response>;

function apiOver(send: Send): Api {
  function api<S extends z.ZodType>(
    method: Method,
    path: string,
    options: CallOptions & { schema: S },
  ): Promise<z.output<S>>;
  function api<T>(
    method: Method,
    path: string,
    options: CallOptions & { read: (response: Response) => Promise<T> },
  ): Promise<T>;
  function api(method: Method, path: string, options?: CallOptions): Promise<void>;
  async function api(
    method: Method,
    path: string,
    {
      schema,
      read,
      ...options
    }: CallOptions & { schema?: z.ZodType; read?: (response: Response) => Promise<unknown> } = {},
  ): Promise<unknown> {
    const response = await send(method, path, options);
    if (read !== undefined) return read(response);
    return schema === undefined ? undefined : readAnswer(response, schema);
  }
  return api;
}

export type ApiClientParts = {
  transport: Transport;
  tokens: TokenStore;
  /** Replaces a refused access token with a new one, or throws `SessionLost`. */
  refresh: (refusedToken: string) => Promise<string>;
  onSessionLost: () => void;
  /** Returns the workspace that requests concern; null for the user's own. */
  workspace: () => string | null;
  /** Called when the user is not a member of the workspace. */
  onNotAMember: () => void;
  /** Called when a plan limit is exceeded, with the server's error sentence. */
  onPlanLimit: (sentence: string) => void;
};

/**
 * Creates the API client of a signed-in user.
 * The client sends the bearer token, reports plan limits, and parses every response with the
 * contract. After a 401, it refreshes the token and retries once.
 */
export function createApi({
  transport,
  tokens,
  refresh,
  onSessionLost,
  workspace,
  onNotAMember,
  onPlanLimit,
}: ApiClientParts): Api {
  async function attempt(method: Method, path: string, options: CallOptions): Promise<Response> {
    const accessToken = tokens.accessToken();
    if (accessToken === null) throw new SessionLost();
    const workspaceId = workspace();
    try {
      return await transport(method, path, { ...options, accessToken, workspaceId });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
    const renewed = await refresh(accessToken);
    try {
      return await transport(method, path, { ...options, accessToken: renewed, workspaceId });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw new SessionLost();
      throw error;
    }
  }

  return apiOver(async (method, path, options) => {
    try {
      return await attempt(method, path, options);
    } catch (error) {
      if (error instanceof SessionLost) onSessionLost();
      if (error instanceof ApiError && error.code === 'plan_limit') onPlanLimit(error.detail);
      if (error instanceof ApiError && error.code === 'not_a_member') onNotAMember();
      throw error;
    }
  });
}

/** Creates the API client of a visitor. It has no token and never refreshes one. */
export function createPublicApi(transport: Transport): Api {
  return apiOver((method, path, options) => transport(method, path, options));
}
