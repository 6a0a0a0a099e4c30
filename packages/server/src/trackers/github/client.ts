import { createHash } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { type HostLimiter, HostPaused } from '../../platform/outbound/limiter.ts';
import { explainFailure, OutboundError } from '../../platform/outbound/refusals.ts';
import { TrackerError } from '../provider.ts';
import type { GitHubAddress } from './address.ts';
import { explainAnswer, malformed, rateLimited } from './failures.ts';

/** One call of the REST API. */
export interface GitHubCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API's address, with its leading slash. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Ask only whether what carried this ETag has changed; the answer is then status 304 without data. */
  etag?: string | null;
  /** What is asked for, as in "GitHub does not know the repository acme/app". */
  subject: string;
  /** The repository the call is about. One that GitHub redirects to another is not followed. */
  repositoryId?: string;
}

/** A successful answer, or 304. */
export interface GitHubAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined for an answer without one. */
  data: unknown;
}

export interface GitHubClientOptions {
  address: GitHubAddress;
  token: string;
  /** The guarded way out. */
  fetch: typeof fetch;
  limiter: HostLimiter;
  log: { warn(fields: object, message: string): void };
  clock: Clock;
  /** Default: a timer. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** From 0 to 1, for the jitter; default `Math.random`. */
  random?: (() => number) | undefined;
}

export interface GitHubClient {
  readonly address: GitHubAddress;
  /**
   * Makes the call. A limit that ends within 5 s is waited out; a call that may be repeated without harm (any but POST)
   * is tried up to 3 times more when the host is down, slow or talks nonsense.
   * @throws {TrackerError} with a sentence for a person; the signal's reason when it is aborted.
   */
  call(call: GitHubCall, signal: AbortSignal): Promise<GitHubAnswer>;
}

const API_VERSION = '2022-11-28';
const MOST_RETRIES = 3;
const MOST_REDIRECTS = 3;
const LONGEST_WAIT_MS = 5_000;
const FIRST_BACK_OFF_MS = 500;

type Received = { status: number; headers: Headers; body: string };

export function createGitHubClient(options: GitHubClientOptions): GitHubClient {
  const { address, token, limiter, log, clock } = options;
  const { name } = address;
  const sleep = options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { signal }));
  const random = options.random ?? Math.random;
  // GitHub counts by token: a spent one must not hold up the other accounts that use the same host.
  const lane = `${address.host} ${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;

  async function attempt(call: GitHubCall, signal: AbortSignal): Promise<GitHubAnswer> {
    const received = await limiter.run(lane, () => send(call, signal), {
      maxWaitMs: LONGEST_WAIT_MS,
      signal,
    });
    const { status, headers } = received;
    if (status === 304 || status === 204) return { status, headers, data: undefined };
    if (status < 200 || status > 299) {
      const body = token === '' ? received.body : received.body.replaceAll(token, '…');
      throw explainAnswer({ status, headers, body }, { name, subject: call.subject, now: clock.now() });
    }
    try {
      return { status, headers, data: JSON.parse(received.body) };
    } catch (error) {
      throw malformed(name, call.subject, error);
    }
  }

  async function send(call: GitHubCall, signal: AbortSignal): Promise<Received> {
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
      const { status, headers } = response;
      const body = await response.text();
      const location = [301, 302, 307, 308].includes(status) ? headers.get('location') : null;
      if (location === null || redirects === MOST_REDIRECTS) return { status, headers, body };
      url = followable(location, url, call);
    }
  }

  function headersOf(call: GitHubCall): Record<string, string> {
    return {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'Winnow',
      'x-github-api-version': API_VERSION,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.etag ? { 'if-none-match': call.etag } : {}),
    };
  }

  /** Where a renamed repository is now. The token goes to no other origin, and a write to no other repository. */
  function followable(location: string, from: URL, call: GitHubCall): URL {
    if (!URL.canParse(location, from.href)) throw malformed(name, call.subject);
    const target = new URL(location, from);
    if (target.origin !== from.origin) {
      throw new TrackerError(
        'refused',
        `${name} redirects to ${target.origin}. Enter the address it finally leads to.`,
      );
    }
    const repositoryId = /\/repositories\/(\d+)(?:\/|$)/.exec(target.pathname)?.[1];
    if (repositoryId !== undefined && call.repositoryId !== undefined && repositoryId !== call.repositoryId) {
      throw new TrackerError('not_found', `${name} has moved ${call.subject} to another repository.`);
    }
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
    const code = failure.code === 'outbound_too_large' ? 'malformed' : 'unreachable';
    return new TrackerError(code, failure.detail, { cause: error });
  }

  /** How long to wait before the same call is made again; null when it is not. */
  function waitAfter(error: TrackerError, call: GitHubCall, retries: number): number | null {
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
          log.warn({ host: address.host, code: error.code, retries, waitMs }, 'asking GitHub again');
          await sleep(waitMs, signal);
        }
      }
    },
  };
}
