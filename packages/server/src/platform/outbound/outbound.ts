import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici';
import {
  guardedConnector,
  networkOf,
  permittedAddresses,
  type ResolveHost,
  resolveBySystem,
} from './address-guard.ts';
import { parseAllowedHosts } from './allowed-hosts.ts';
import { limitedBody } from './body-limit.ts';
import { explainFailure, OutboundRefused } from './outbound-errors.ts';
import { type Call, nextHop } from './redirect.ts';

/** Time and size limits of a call. */
type CallLimits = {
  /** Maximum time until the response headers arrive. */
  headersTimeoutMs: number;
  /** Maximum time between two chunks of the response body. */
  bodyTimeoutMs: number;
  /** Maximum size of the response body after decompression. */
  maxResponseBytes: number;
};

export type OutboundOptions = {
  /** Entries of `OUTBOUND_ALLOWED_HOSTS`. */
  allowedHosts: readonly string[];
  /**
   * Additional allowed hosts (`host` or `host:port`) that the operator has configured as services,
   * such as a model server or GitHub Enterprise.
   */
  exemptHosts?: readonly string[] | undefined;
  /** User-Agent header of calls for which the caller sets none. */
  userAgent: string;
  log: { info(fields: object, message: string): void };
  /** Maximum time to connect. Default: 5 s. */
  connectTimeoutMs?: number | undefined;
  /** Default limits: 30 s for the headers, 60 s between chunks of the body, 32 MB. */
  limits?: Partial<CallLimits> | undefined;
  /** Resolves host names. Default: the resolver of the operating system. */
  resolveHost?: ResolveHost | undefined;
};

export type Outbound = {
  /**
   * A `fetch` for SDKs that refuses to call private networks. It differs from the standard:
   * - Rejects with an `OutboundError` (refused, timeout, unreachable, too large), also while the
   *   body is read.
   * - Follows at most 5 redirects, and sends only harmless headers to another origin.
   * - Reads the request body into memory first.
   *
   * Allows `http:`, since many internal trackers have no certificate. If aborted, rejects with the
   * signal's reason.
   */
  fetch: typeof fetch;
  /** Returns the same `fetch` with other limits, for example for a slow model. */
  fetchWith(limits: Partial<CallLimits>): typeof fetch;
  /**
   * Resolves if the URL may be called. Otherwise rejects with the same `OutboundError` as a call
   * would. Sends nothing.
   */
  check(url: string | URL): Promise<void>;
  /** Closes all connections, idle and active. */
  close(): Promise<void>;
};

const DEFAULT_LIMITS: CallLimits = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 60_000,
  maxResponseBytes: 32 * 1024 * 1024,
};
const MAX_REDIRECTS = 5;

/**
 * Creates the HTTP client that the server must use for all calls to other hosts. Throws an Error if
 * an entry of the allowed hosts is malformed.
 */
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
          `${url.host} redirects the request body to another host. Enter the final address instead.`,
        );
      }
      if (request.redirect === 'error' || redirects === MAX_REDIRECTS) {
        throw new OutboundRefused(
          url.host,
          `${url.host} redirects ${redirects === MAX_REDIRECTS ? 'in circles' : 'the call elsewhere'}. Enter the final address instead.`,
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
      options.log.info({ host: url.host, error: explained.cause ?? explained }, 'An outbound call failed.');
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

/**
 * Parses the URL of a call. Parsing converts unusual notations of addresses to the standard one.
 * Refuses protocols other than HTTP and HTTPS, and credentials in the URL.
 */
function targetOf(text: string): URL {
  if (!URL.canParse(text)) {
    throw new OutboundRefused(
      '',
      'This is not a web address. Enter one such as https://tracker.example.com.',
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

/**
 * Returns a standard `Response` object, which SDKs expect. Its body has a size limit and explained
 * errors.
 */
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
