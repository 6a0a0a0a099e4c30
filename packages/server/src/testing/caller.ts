import { currentUser, type TokenPair, tokenPair } from '@winnow/contract/account';
import { type ErrorBody, errorBody } from '@winnow/contract/error';
import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer as it came. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined for an empty one. */
  body: unknown;
}

/** What is sent beside the address; `body` is sent as JSON, `raw` as it is. */
export interface Sent {
  token?: string | null;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

/** Calls a server and gives the answer back whatever its status. `path` is below `origin`. */
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

/** What a failed call answered, without the id of the request. @throws when the answer is no failure of this status. */
export function failureOf(answer: Answer, status: number): Omit<ErrorBody, 'request_id'> {
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, but the answer was ${answer.status}: ${answer.text.slice(0, 500)}`);
  }
  const { request_id: _, ...body } = errorBody.strict().parse(answer.body);
  return body;
}

/** A signed-in user of a running server. Paths are below `/api/v1`. */
export interface Caller {
  readonly name: string;
  readonly password: string;
  readonly tokens: TokenPair;
  /** Every body that was answered, as text. */
  readonly answers: string[];
  /** Reads something; the answer must be 200 and what the contract says. */
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /** Does something; the answer must be one of success and what the contract says. */
  send<T>(method: Method, path: string, body: unknown, schema: z.ZodType<T>): Promise<T>;
  /** Does something that answers 204. */
  do(method: Method, path: string, body?: unknown): Promise<void>;
  /** Does what must fail with this status. */
  fail(method: Method, path: string, status: number, body?: unknown): Promise<Omit<ErrorBody, 'request_id'>>;
  call(method: Method, path: string, body?: unknown): Promise<Answer>;
  /** The account that the user is in. */
  accountId(): Promise<string>;
}

let users = 0;

/** Registers a user of a new name and signs in. */
export async function registerCaller(origin: string): Promise<Caller> {
  users += 1;
  const name = `user-${users}-${process.pid}`;
  const password = `${name} keeps a long secret`;
  const registered = await call(origin, 'POST', '/api/v1/auth/register', {
    body: { username: name, email: `${name}@example.com`, password },
  });
  if (registered.status !== 201) throw new Error(`Registering answered ${registered.text}`);
  return signInCaller(origin, name, password);
}

/** Signs in a user who is there already. */
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
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    },
    fail: async (method, path, status, body) => failureOf(await send(method, path, body), status),
    accountId: async () => (await get('/auth/users/me', currentUser)).account_id,
  };
}

/** The answer's body as the contract has it: every field known, none missing. */
function parse<T>(answer: Answer, schema: z.ZodType<T>, what: string): T {
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${what} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  }
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success)
    throw new Error(`${what} is not what the contract says: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
