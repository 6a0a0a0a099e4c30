import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici';
import { parseAllowedHosts } from './allowed-hosts.ts';
import { limitedBody } from './body-limit.ts';
import {
  guardedConnector,
  networkOf,
  permittedAddresses,
  type ResolveHost,
  resolveBySystem,
} from './gate.ts';
import { type Call, nextHop } from './redirect.ts';
import { explainFailure, OutboundRefused } from './refusals.ts';

/** Bounds of one call. */
export type CallLimits = {
  /** Until the answer's headers are there. */
  headersTimeoutMs: number;
  /** Between two pieces of the answer's body. */
  bodyTimeoutMs: number;
  /** Bytes of the answer's body, counted after decompression. */
  maxResponseBytes: number;
};

export type OutboundOptions = {
  /** Entries of `OUTBOUND_ALLOWED_HOSTS`. */
  allowedHosts: readonly string[];
  /** `host` or `host:port` that the operator's own configuration names (a model server, an own GitHub). */
  exemptHosts?: readonly string[] | undefined;
  /** Sent where the caller sets none. */
  userAgent: string;
  log: { info(fields: object, message: string): void };
  /** Default 5 s. */
  connectTimeoutMs?: number | undefined;
  /** Defaults: headers 30 s, body 60 s, 32 MB. */
  limits?: Partial<CallLimits> | undefined;
  /** Default: as the operating system resolves names. */
  resolveHost?: ResolveHost | undefined;
};

export type Outbound = {
  /**
   * A `fetch` that calls no private network, for every SDK. Differences from the platform's: rejects with an
   * `OutboundError` (refused, timeout, unreachable, too large), also while the body is read; follows at most 5 redirects
   * and leaves everything but harmless headers behind when one leads to another origin; reads a request body into
   * memory first. `http:` is permitted as well as `https:`, since many trackers inside a company have no certificate.
   * Aborting rejects with the signal's reason.
   */
  fetch: typeof fetch;
  /** The same with other limits for all its calls, such as a model that thinks for minutes. */
  fetchWith(limits: Partial<CallLimits>): typeof fetch;
  /** Resolves when the URL may be called just now; rejects with the `OutboundError` that a call would. Sends nothing. */
  check(url: string | URL): Promise<void>;
  /** Ends idle connections and those in use. */
  close(): Promise<void>;
};

const DEFAULT_LIMITS: CallLimits = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 60_000,
  maxResponseBytes: 32 * 1024 * 1024,
};
const MOST_REDIRECTS = 5;

/** The only way out of the server. Throws an Error with a sentence when an entry of the allowed hosts is malformed. */
export function createOutbound(options: OutboundOptions): Outbound {
  const allowed = parseAllowedHosts([...options.allowedHosts, ...(options.exemptHosts ?? [])]);
  const resolveHost = options.resolveHost ?? resolveBySystem;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
  const agent = new Agent({
    connect: guardedConnector(allowed, resolveHost, connectTimeoutMs),
    connections: 32,
    allowH2: false,
  });

  function fetchWith(limits: Partial<CallLimits>): typeof fetch {
    const bounds = { ...DEFAULT_LIMITS, ...options.limits, ...limits };
    const dispatcher = agent.compose(
      (dispatch) => (dispatchOptions, handler) =>
        dispatch(
          {
            ...dispatchOptions,
            headersTimeout: bounds.headersTimeoutMs,
            bodyTimeout: bounds.bodyTimeoutMs,
          },
          handler,
        ),
    );
    return (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return follow(url, () => new Request(input, init), dispatcher, bounds);
    };
  }

  async function follow(
    firstUrl: string,
    makeRequest: () => Request,
    dispatcher: Dispatcher,
    bounds: CallLimits,
  ): Promise<Response> {
    let url = targetOf(firstUrl);
    const request = makeRequest();
    let call: Call = {
      method: request.method,
      headers: request.headers,
      body: request.body === null ? null : new Uint8Array(await request.arrayBuffer()),
    };
    if (!call.headers.has('user-agent')) call.headers.set('user-agent', options.userAgent);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(url, call, request.signal, dispatcher);
      const next = request.redirect === 'manual' ? null : nextHop(url, call, answer);
      if (next === null) return present(answer, url, redirects > 0, bounds, request.signal);
      await answer.body?.cancel();
      if (next.carriesBodyElsewhere) {
        throw new OutboundRefused(
          url.host,
          `${url.host} redirects what was sent to another host. Enter the address it finally leads to.`,
        );
      }
      if (request.redirect === 'error' || redirects === MOST_REDIRECTS) {
        throw new OutboundRefused(
          url.host,
          `${url.host} redirects ${redirects === MOST_REDIRECTS ? 'in circles' : 'the call elsewhere'}. Enter the address it finally leads to.`,
        );
      }
      url = targetOf(next.url);
      call = next.call;
    }
  }

  async function send(url: URL, call: Call, signal: AbortSignal, dispatcher: Dispatcher) {
    try {
      return await undiciFetch(url, {
        method: call.method,
        headers: [...call.headers],
        body: call.body,
        redirect: 'manual',
        signal,
        dispatcher,
      });
    } catch (error) {
      signal.throwIfAborted();
      const network = await networkOf(url.hostname, resolveHost, connectTimeoutMs);
      const explained = explainFailure(url.host, error, network);
      options.log.info({ host: url.host, error: explained.cause ?? explained }, 'A call out failed.');
      throw explained;
    }
  }

  return {
    fetch: fetchWith({}),
    fetchWith,
    async check(url) {
      const target = targetOf(String(url));
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      try {
        await permittedAddresses({ hostname: target.hostname, port }, allowed, resolveHost);
      } catch (error) {
        throw explainFailure(target.host, error);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Reads a URL that may be called at all. Addresses in odd notations come out as plain ones and are judged as those. */
function targetOf(text: string): URL {
  if (!URL.canParse(text)) {
    throw new OutboundRefused(
      '',
      'That is not a web address. Enter one such as https://tracker.example.com.',
    );
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutboundRefused(url.host, 'Only addresses that begin with https:// or http:// can be called.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused(url.host, 'Enter the address without a user name or password in it.');
  }
  return url;
}

/** The platform's own `Response`, so that SDKs recognize it, with a bounded body whose errors are explained. */
function present(
  answer: Awaited<ReturnType<typeof undiciFetch>>,
  url: URL,
  redirected: boolean,
  bounds: CallLimits,
  signal: AbortSignal,
): Response {
  const body =
    answer.body === null ? null : limitedBody(answer.body, bounds.maxResponseBytes, url.host, signal);
  const response = new Response(body, {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
  });
  Object.defineProperties(response, { url: { value: url.href }, redirected: { value: redirected } });
  return response;
}
