import { createHash } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { HostPaused, type Limiter } from '../../platform/limiter.ts';
import { explainFailure, OutboundError } from '../../platform/outbound/outbound-errors.ts';
import { type RateLimitUse, TrackerError } from '../provider.ts';
import { type ExplainResponse, malformed, rateLimited } from './failures.ts';

/** One call of a tracker's REST API. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the API's base URL, with a leading slash. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /**
   * Makes the request conditional on this ETag. If nothing has changed, the response has status 304
   * and no data.
   */
  etag?: string | null;
  /**
   * Name of the object that the call is about, for messages such as "GitHub could not find the
   * repository acme/app".
   */
  subject: string;
  /**
   * Called for each redirect within the tracker. Throws a `TrackerError` to refuse it. Default: all
   * such redirects are followed.
   */
  checkRedirect?: (target: URL) => void;
}

/** A successful response, or a response with status 304. */
export interface RestResponse {
  status: number;
  headers: Headers;
  /** The parsed body. Undefined if the response has no body. */
  data: unknown;
}

/** URL of a tracker's REST API, and the name of the tracker for messages. */
export interface RestAddress {
  /**
   * Base URL without a trailing slash: `https://api.github.com`, `https://git.example.com/api/v3`.
   */
  apiUrl: string;
  host: string;
  /** Name for messages, such as `GitHub` or `GitLab at git.example.com`. */
  name: string;
}

export interface RestClientOptions {
  address: RestAddress;
  /** The token or password. It never appears in messages. */
  secret: string;
  /** Headers sent with every call, such as credentials. */
  headers: Readonly<Record<string, string>>;
  /** Creates the error for an unsuccessful response. */
  explain: ExplainResponse;
  /** Reads the hourly rate limit from response headers. Default: the limit is unknown. */
  hourlyLimitOf?: (headers: Headers) => number | null;
  /** True if 304 responses do not count towards the rate limit. Default: false. */
  unchangedIsFree?: boolean;
  /** A `fetch` that refuses to call private addresses. */
  fetch: typeof fetch;
  limiter: Limiter;
  log: { warn(fields: object, message: string): void };
  clock: Clock;
  /** Waits for a number of milliseconds. Default: a timer. Tests replace it. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Returns a random number from 0 to 1, which varies retry delays. Default: `Math.random`. */
  random?: (() => number) | undefined;
}

/** Options that the caller of a provider supplies. The provider adds the others. */
export type RestParts = Pick<
  RestClientOptions,
  'address' | 'fetch' | 'limiter' | 'log' | 'clock' | 'sleep' | 'random'
>;

export interface RestClient {
  readonly address: RestAddress;
  /** Returns the current time by this server's clock. */
  now(): Date;
  /** Returns the requests spent so far. */
  rateLimitUse(): RateLimitUse;
  /**
   * Performs the call. Waits for the end of a rate limit if it ends within 5 s. Retries an
   * idempotent call (every method but POST) up to 3 times if the host is down, slow or returns
   * malformed data.
   * @throws {TrackerError} with a message for users
   * @throws the signal's reason if aborted
   */
  call(call: RestCall, signal: AbortSignal): Promise<RestResponse>;
}

const MAX_RETRIES = 3;
const MAX_REDIRECTS = 3;
const MAX_RETRY_WAIT_MS = 5_000;
const FIRST_BACK_OFF_MS = 500;

type Received = { status: number; headers: Headers; body: string };

/** Creates a client of one tracker with one set of credentials. */
export function createRestClient(options: RestClientOptions): RestClient {
  const { address, secret, limiter, log, clock } = options;
  const { name } = address;
  const sleep = options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { signal }));
  const random = options.random ?? Math.random;
  // Limiter key of this token. Trackers limit each token separately, so an exhausted limit must not
  // block other accounts on the same host.
  const lane = `${address.host} ${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;

  let requests = 0;
  let hourlyLimit: number | null = null;

  function spend({ status, headers }: Response): void {
    if (status !== 304 || options.unchangedIsFree !== true) requests += 1;
    hourlyLimit = options.hourlyLimitOf?.(headers) ?? hourlyLimit;
  }

  async function attempt(call: RestCall, signal: AbortSignal): Promise<RestResponse> {
    const received = await limiter.run(lane, () => send(call, signal), {
      maxWaitMs: MAX_RETRY_WAIT_MS,
      signal,
    });
    const { status, headers } = received;
    if (status === 304) return { status, headers, data: undefined };
    if (status < 200 || status > 299) {
      const body = secret === '' ? received.body : received.body.replaceAll(secret, '…');
      throw options.explain({ status, headers, body }, { name, subject: call.subject, now: clock.now() });
    }
    // For some writes, Jira returns status 200 or 201 with an empty body.
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
      if (location === null || redirects === MAX_REDIRECTS) return { status, headers, body };
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

  /**
   * Returns the target of a redirect. Refuses another origin, because credentials must not be sent
   * there.
   */
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
    // No retry: a response that was too large would be too large again.
    const code = failure.code === 'outbound_too_large' ? 'refused' : 'unreachable';
    return new TrackerError(code, failure.detail, { cause: error });
  }

  /** Returns the delay before a retry. Returns null if the call must not be retried. */
  function waitAfter(error: TrackerError, call: RestCall, retries: number): number | null {
    if (retries >= MAX_RETRIES || !error.transient) return null;
    if (error.code === 'rate_limited') {
      const waitMs = (error.retryAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now().getTime();
      return waitMs <= MAX_RETRY_WAIT_MS ? Math.max(0, waitMs) : null;
    }
    if (call.method === 'POST') return null;
    return FIRST_BACK_OFF_MS * 2 ** retries * (0.5 + random() / 2);
  }

  return {
    address,
    now: () => clock.now(),
    rateLimitUse: () => ({ requests, hourlyLimit }),
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
          log.warn({ host: address.host, code: error.code, retries, waitMs }, 'Retrying a tracker request.');
          await sleep(waitMs, signal);
        }
      }
    },
  };
}
