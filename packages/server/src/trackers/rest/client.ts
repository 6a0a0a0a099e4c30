import { createHash } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { HostPaused, type Limiter } from '../../platform/limiter.ts';
import { explainFailure, OutboundError } from '../../platform/outbound/outbound-errors.ts';
import { type Spending, TrackerError } from '../provider.ts';
import { type ExplainAnswer, malformed, rateLimited } from './failures.ts';

/** One call of a tracker's REST API. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's address, with its leading slash. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Ask only whether what carried this ETag has changed; the answer is then status 304 without data. */
  etag?: string | null;
  /** What is asked for, as in "GitHub does not know the repository acme/app". */
  subject: string;
  /** Refuses to follow a redirect within the tracker, by throwing a `TrackerError`; default: follows. */
  checkRedirect?: (target: URL) => void;
}

/** A successful answer, or 304. */
export interface RestAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined for an answer without one. */
  data: unknown;
}

/** Where a tracker's REST API is, and what to call that tracker in a sentence. */
export interface RestAddress {
  /** Without a slash at the end: `https://api.github.com`, `https://git.example.com/api/v3`. */
  apiUrl: string;
  host: string;
  /** `GitHub`, `GitLab at git.example.com`. */
  name: string;
}

export interface RestClientOptions {
  address: RestAddress;
  /** The token or password; it is kept out of every sentence. */
  secret: string;
  /** Sent with every call: the credentials, and what the tracker wants beside them. */
  headers: Readonly<Record<string, string>>;
  /** Says why an answer is no success. */
  explain: ExplainAnswer;
  /** How many requests an hour the tracker allows, by an answer's headers; default: it does not tell. */
  hourlyLimitOf?: (headers: Headers) => number | null;
  /** Whether an answer that says "not modified" counts; default: as any other. */
  unchangedIsFree?: boolean;
  /** The guarded way out. */
  fetch: typeof fetch;
  limiter: Limiter;
  log: { warn(fields: object, message: string): void };
  clock: Clock;
  /** Default: a timer. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** From 0 to 1, for the jitter; default `Math.random`. */
  random?: (() => number) | undefined;
}

/** What a client is given by whoever opens a tracker; the rest is the tracker's own. */
export type RestParts = Pick<
  RestClientOptions,
  'address' | 'fetch' | 'limiter' | 'log' | 'clock' | 'sleep' | 'random'
>;

export interface RestClient {
  readonly address: RestAddress;
  /** The time of our clock. */
  now(): Date;
  /** What was spent by all calls so far. */
  spending(): Spending;
  /**
   * Makes the call. A limit that ends within 5 s is waited out; a call that may be repeated without harm (any but POST)
   * is tried up to 3 times more when the host is down, slow or talks nonsense.
   * @throws {TrackerError} with a sentence for a person; the signal's reason when it is aborted.
   */
  call(call: RestCall, signal: AbortSignal): Promise<RestAnswer>;
}

const MOST_RETRIES = 3;
const MOST_REDIRECTS = 3;
const LONGEST_WAIT_MS = 5_000;
const FIRST_BACK_OFF_MS = 500;

type Received = { status: number; headers: Headers; body: string };

/** A client of one tracker with one set of credentials. */
export function createRestClient(options: RestClientOptions): RestClient {
  const { address, secret, limiter, log, clock } = options;
  const { name } = address;
  const sleep = options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { signal }));
  const random = options.random ?? Math.random;
  // Trackers count by token: a spent one must not hold up the other accounts that use the same host.
  const lane = `${address.host} ${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;

  let requests = 0;
  let hourlyLimit: number | null = null;

  function spend({ status, headers }: Response): void {
    if (status !== 304 || options.unchangedIsFree !== true) requests += 1;
    hourlyLimit = options.hourlyLimitOf?.(headers) ?? hourlyLimit;
  }

  async function attempt(call: RestCall, signal: AbortSignal): Promise<RestAnswer> {
    const received = await limiter.run(lane, () => send(call, signal), {
      maxWaitMs: LONGEST_WAIT_MS,
      signal,
    });
    const { status, headers } = received;
    if (status === 304) return { status, headers, data: undefined };
    if (status < 200 || status > 299) {
      const body = secret === '' ? received.body : received.body.replaceAll(secret, '…');
      throw options.explain({ status, headers, body }, { name, subject: call.subject, now: clock.now() });
    }
    // Jira answers some writes with an empty 200 or 201.
    if (status === 204 || (received.body === '' && call.method !== 'GET')) {
      return { status, headers, data: undefined };
    }
    try {
      return { status, headers, data: JSON.parse(received.body) };
    } catch (error) {
      throw malformed(name, call.subject, error);
    }
  }

  async function send(call: RestCall, signal: AbortSignal): Promise<Received> {
    let url = new URL(`${address.apiUrl}${call.path}`);
    for (const [key, value] of Object.entries(call.query ?? {})) url.searchParams.set(key, value);
    for (let redirects = 0; ; redirects += 1) {
      const response = await options.fetch(url, {
        method: call.method,
        headers: headersOf(call),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        redirect: 'manual',
        signal,
      });
      spend(response);
      const { status, headers } = response;
      const body = await response.text();
      const location = [301, 302, 307, 308].includes(status) ? headers.get('location') : null;
      if (location === null || redirects === MOST_REDIRECTS) return { status, headers, body };
      url = followable(location, url, call);
    }
  }

  function headersOf(call: RestCall): Record<string, string> {
    return {
      'user-agent': 'Winnow',
      ...options.headers,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.etag ? { 'if-none-match': call.etag } : {}),
    };
  }

  /** Where what was moved is now. The credentials go to no other origin. */
  function followable(location: string, from: URL, call: RestCall): URL {
    if (!URL.canParse(location, from.href)) throw malformed(name, call.subject);
    const target = new URL(location, from);
    if (target.origin !== from.origin) {
      throw new TrackerError(
        'refused',
        `${name} redirects to ${target.origin}. Enter the address it finally leads to.`,
      );
    }
    call.checkRedirect?.(target);
    if (target.search === '') target.search = from.search;
    return target;
  }

  function explain(error: unknown, signal: AbortSignal): TrackerError {
    signal.throwIfAborted();
    if (error instanceof TrackerError) return error;
    if (error instanceof HostPaused) return rateLimited(name, new Date(error.untilMs), error);
    const failure = error instanceof OutboundError ? error : explainFailure(address.host, error);
    if (failure.code === 'outbound_refused')
      return new TrackerError('refused', failure.detail, { cause: error });
    // The same call would bring the same flood again.
    const code = failure.code === 'outbound_too_large' ? 'refused' : 'unreachable';
    return new TrackerError(code, failure.detail, { cause: error });
  }

  /** How long to wait before the same call is made again; null when it is not. */
  function waitAfter(error: TrackerError, call: RestCall, retries: number): number | null {
    if (retries >= MOST_RETRIES || !error.transient) return null;
    if (error.code === 'rate_limited') {
      const waitMs = (error.retryAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now().getTime();
      return waitMs <= LONGEST_WAIT_MS ? Math.max(0, waitMs) : null;
    }
    if (call.method === 'POST') return null;
    return FIRST_BACK_OFF_MS * 2 ** retries * (0.5 + random() / 2);
  }

  return {
    address,
    now: () => clock.now(),
    spending: () => ({ requests, hourlyLimit }),
    async call(call, signal) {
      for (let retries = 0; ; retries += 1) {
        try {
          return await attempt(call, signal);
        } catch (thrown) {
          const error = explain(thrown, signal);
          if (error.code === 'rate_limited' && error.retryAt !== null) {
            limiter.pauseUntil(lane, error.retryAt.getTime());
          }
          const waitMs = waitAfter(error, call, retries);
          if (waitMs === null) throw error;
          log.warn({ host: address.host, code: error.code, retries, waitMs }, 'asking a tracker again');
          await sleep(waitMs, signal);
        }
      }
    },
  };
}
