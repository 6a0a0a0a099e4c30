import { errorBody } from '@winnow/contract/error';
import { WORKSPACE_HEADER } from '@winnow/contract/workspace';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

type TransportOptions = {
  /**
   * Query parameters. `null`, `undefined` and `''` are omitted. The name is repeated for each item
   * of an array.
   */
  query?: Record<string, QueryValue> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  accessToken?: string | null | undefined;
  /** Workspace that the request concerns; null for the user's own. */
  workspaceId?: string | null | undefined;
};

/**
 * Sends an HTTP request to the API. Throws {@link ApiError} if the request fails. If the request is
 * aborted, throws the abort error.
 */
export type Transport = (method: Method, path: string, options?: TransportOptions) => Promise<Response>;

const API_ROOT = '/api/v1';

/** Returns the URL path of an API path, with its query string. */
export function addressOf(path: string, query: Record<string, QueryValue> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return `${API_ROOT}${path}${text === '' ? '' : `?${text}`}`;
}

/**
 * Parses a `Retry-After` header, given as seconds or as a date. Returns whole seconds. Null if the
 * header is missing or invalid.
 */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

async function errorOf(response: Response): Promise<ApiError> {
  const shared = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), Date.now()),
  };
  const parsed = errorBody.safeParse(await response.json().catch(() => null));
  if (parsed.success) {
    const { detail, code, fields, request_id } = parsed.data;
    return new ApiError({ ...shared, detail, code, requestId: request_id, ...(fields ? { fields } : {}) });
  }
  return new ApiError({
    ...shared,
    code: 'unexpected_answer',
    detail:
      response.status >= 500
        ? 'The server has a problem. Try again in a moment.'
        : `The server refused the request (${response.status}).`,
  });
}

/** Creates a {@link Transport} that uses `fetch`. */
export function createTransport(fetch: typeof globalThis.fetch): Transport {
  return async (method, path, options = {}) => {
    const headers = new Headers({ accept: 'application/json' });
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    if (options.accessToken) headers.set('authorization', `Bearer ${options.accessToken}`);
    if (options.workspaceId) headers.set(WORKSPACE_HEADER, options.workspaceId);
    let response: Response;
    try {
      response = await fetch(addressOf(path, options.query), {
        method,
        headers,
        credentials: 'same-origin',
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.signal ? { signal: options.signal } : {}),
      });
    } catch (cause) {
      if (options.signal?.aborted) throw cause;
      throw new ApiError(
        {
          status: 0,
          code: 'unreachable',
          detail: 'Winnow could not be reached. Check your connection and try again.',
        },
        { cause },
      );
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };
}

/**
 * Parses the body of a response with a schema of the contract. Throws {@link ApiError} if the body
 * does not match.
 */
export async function readAnswer<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new ApiError(
    {
      status: response.status,
      code: 'unexpected_answer',
      detail: 'Unexpected answer from the server. Reload the page.',
      requestId: response.headers.get('x-request-id'),
    },
    { cause: parsed.error },
  );
}
