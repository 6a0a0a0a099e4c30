import { currentUser, type TokenPair, tokenPair } from '@winnow/contract/account';
import { type ErrorBody, errorBody } from '@winnow/contract/error';
import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An HTTP response. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed body of the response; undefined if the body is empty. */
  body: unknown;
}

/** An HTTP request without its URL. `body` is sent as JSON; `raw` is sent unchanged. */
export interface Sent {
  token?: string | null;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

/**
 * Sends a request and returns the response, whether it succeeded or not. `path` is relative to
 * `origin`.
 */
export async function call(
  origin: string,
  method: Method,
  path: string,
  { token = null, body, raw, headers = {} }: Sent = {},
): Promise<Answer> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await answer.text();
  const isJson = /[/+]json\b/.test(answer.headers.get('content-type') ?? '');
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
  };
}

/**
 * Returns the error body of a failed call, without the request id.
 * @throws if the response has another status, or is no error
 */
export function failureOf(answer: Answer, status: number): Omit<ErrorBody, 'request_id'> {
  if (answer.status !== status) {
    throw new Error(
      `Expected ${status}, but the response was ${answer.status}: ${answer.text.slice(0, 500)}`,
    );
  }
  const { request_id: _, ...body } = errorBody.strict().parse(answer.body);
  return body;
}

/** A signed-in user of a running server. Paths are relative to `/api/v1`. */
export interface Caller {
  readonly name: string;
  readonly password: string;
  readonly tokens: TokenPair;
  /** Text of each response body that was received. */
  readonly answers: string[];
  /** Reads a resource. Asserts that the status is 200 and that the body matches the contract. */
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /**
   * Sends a request. Asserts that the status is a success and that the body matches the contract.
   */
  send<T>(method: Method, path: string, body: unknown, schema: z.ZodType<T>): Promise<T>;
  /** Sends a request. Asserts that the status is 204. */
  do(method: Method, path: string, body?: unknown): Promise<void>;
  /** Sends a request and returns the error body. Asserts that the response has this status. */
  fail(method: Method, path: string, status: number, body?: unknown): Promise<Omit<ErrorBody, 'request_id'>>;
  call(method: Method, path: string, body?: unknown): Promise<Answer>;
  /** Returns the id of the user's account. */
  accountId(): Promise<string>;
}

let users = 0;

/**
 * Password of every test user. It must not contain the username, because rating such a password
 * takes ten times longer.
 */
const PASSWORD = 'correct horse battery';

/** Registers a new user and signs in. */
export async function registerCaller(origin: string): Promise<Caller> {
  users += 1;
  const name = `user-${users}-${process.pid}`;
  const registered = await call(origin, 'POST', '/api/v1/auth/register', {
    // Registration is limited per IP address, so each user gets a different one. The address takes
    // effect only if the server trusts the proxy header.
    headers: { 'x-forwarded-for': `198.18.${users >> 8}.${users & 255}` },
    body: { username: name, email: `${name}@example.com`, password: PASSWORD },
  });
  if (registered.status !== 201) throw new Error(`Registration returned ${registered.text}`);
  return signInCaller(origin, name, PASSWORD);
}

/** Signs in an existing user. */
export async function signInCaller(origin: string, name: string, password: string): Promise<Caller> {
  const answer = await call(origin, 'POST', '/api/v1/auth/token/json', {
    body: { username: name, password },
  });
  const tokens = parse(answer, tokenPair, `signing in as ${name}`);
  const answers: string[] = [];
  const send = async (method: Method, path: string, body?: unknown) => {
    const answer = await call(origin, method, `/api/v1${path}`, { token: tokens.access_token, body });
    answers.push(answer.text);
    return answer;
  };
  const get = async <T>(path: string, schema: z.ZodType<T>) =>
    parse(await send('GET', path), schema, `GET ${path}`);
  return {
    name,
    password,
    tokens,
    answers,
    call: send,
    get,
    send: async (method, path, body, schema) =>
      parse(await send(method, path, body), schema, `${method} ${path}`),
    async do(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status !== 204)
        throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
    },
    fail: async (method, path, status, body) => failureOf(await send(method, path, body), status),
    accountId: async () => (await get('/auth/users/me', currentUser)).account_id,
  };
}

/** Parses a body by the contract. Refuses unknown fields and missing fields. */
function parse<T>(answer: Answer, schema: z.ZodType<T>, what: string): T {
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${what} returned ${answer.status}: ${answer.text.slice(0, 500)}`);
  }
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success)
    throw new Error(`${what} does not match the contract: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
