import type { IncomingHttpHeaders } from 'node:http';
import type { FaultAction } from './faults.ts';
import type { JsonObject } from './json.ts';
import type { UserAction } from './user-actions.ts';

/** A request that the server passes to an emulated host. */
export interface Incoming {
  method: string;
  /** Encoded path with the query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Origin of the emulator, without a trailing slash. */
  origin: string;
  /** Number of the request, starting with 1. Hosts derive request ids from it. */
  serial: number;
}

/** Response of an emulated host. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Login of the caller. Null if the caller is anonymous or unknown. */
  login: string | null;
  /** See `LoggedRequest.path`. */
  path: string;
}

/** A request and its response, for comparison with the published API description. */
export interface Exchange {
  method: string;
  /** See `LoggedRequest.path`. */
  path: string;
  query: Record<string, string>;
  requestHeaders: Record<string, string>;
  /** Parsed JSON of the request body. Undefined without a body. */
  requestBody: unknown;
  status: number;
  responseHeaders: Record<string, string>;
  /** Parsed JSON of the response body, or its text if it is not JSON. Null without a body. */
  responseBody: unknown;
  /** Kind of the fault that changed this response, or null. Such a response is not compared. */
  fault: string | null;
}

/**
 * Faults that only one emulator supports, such as its rate limits. Their kinds must differ from
 * those of `FaultAction`.
 */
export interface OwnFaults<Own extends { kind: string }> {
  kinds: readonly Own['kind'][];
  /**
   * Parses an action from an HTTP request.
   * @throws {Error} with the name of the invalid field
   */
  read: (action: JsonObject) => Own;
  /**
   * Returns the response that replaces the usual one. The request itself has not been handled.
   * `usual` contains the headers of every response.
   */
  answer: (action: Own, usual: Outgoing, incoming: Incoming) => Outgoing;
}

/** An emulated tracker or service. The HTTP server passes requests to it. */
export interface EmulatedHost<Own extends { kind: string }> {
  /** Name of the host in sentences, such as `GitHub`. */
  name: string;
  /** Current time in milliseconds since 1970. */
  now: () => number;
  /**
   * Handles a request like the emulated service. Never throws, for any request.
   *
   * If a fault replaces a response, the server still needs the usual headers. It then passes a
   * request with the method OPTIONS. No route has this method, so the request has no effect.
   */
  answer: (incoming: Incoming) => Outgoing;
  /** Returns the response body for a fault of kind `status` without a body. */
  faultBody: (status: number) => unknown;
  ownFaults: OwnFaults<Own>;
  /**
   * Returns the response body for `GET /_emulator/state`. `query` contains the parameters of the
   * request.
   */
  snapshot: (query: URLSearchParams) => unknown;
  /** User actions by name. `POST /_emulator/<name>` performs them. */
  userActions?: Readonly<Record<string, UserAction>>;
  /** Returns the HTML page for a path. Returns null if the path has no page. */
  page?: (pathname: string) => string | null;
}

/** All faults that an emulator supports. */
export type HostFaultAction<Own> = FaultAction | Own;
