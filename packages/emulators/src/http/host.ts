import type { IncomingHttpHeaders } from 'node:http';
import type { FaultAction } from './faults.ts';
import type { JsonObject } from './json.ts';
import type { UserAction } from './user-actions.ts';

/** A request as an emulated host receives it. */
export interface Incoming {
  method: string;
  /** Raw path with query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Origin of the emulator, without a trailing slash. */
  origin: string;
  /** Number of the request, from 1. Hosts derive request ids from it. */
  serial: number;
}

/** Response of an emulated host. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Login of the caller. Null if the caller is unknown. */
  login: string | null;
  /** See `LoggedRequest.path`. */
  path: string;
}

/** A request and its response, for validation against the API's description. */
export interface Exchange {
  method: string;
  /** See `LoggedRequest.path`. */
  path: string;
  query: Record<string, string>;
  requestHeaders: Record<string, string>;
  /** The request's parsed JSON. Undefined without a body. */
  requestBody: unknown;
  status: number;
  responseHeaders: Record<string, string>;
  /** The response's parsed JSON, or its text if it is not JSON. Null without a body. */
  responseBody: unknown;
  /** Kind of the fault that produced this response. A response with a fault is not validated. */
  fault: string | null;
}

/**
 * Faults that only one tracker has, such as its rate limits. Their kinds differ from those of
 * `FaultAction`.
 */
export interface OwnFaults<Own extends { kind: string }> {
  kinds: readonly Own['kind'][];
  /**
   * Parses an action that was received over HTTP.
   * @throws {Error} that names an invalid field
   */
  read: (action: JsonObject) => Own;
  /**
   * Returns the response that replaces the usual one. The request has had no effect. `usual` has
   * the headers that every response has.
   */
  answer: (action: Own, usual: Outgoing, incoming: Incoming) => Outgoing;
}

/** An emulated tracker, as the HTTP server needs it. */
export interface EmulatedHost<Own extends { kind: string }> {
  /** Name for use in sentences, such as `GitHub`. */
  name: string;
  /** Current time in milliseconds since 1970. */
  now: () => number;
  /**
   * Responds to a request as the tracker would. Never throws, whatever the caller sends.
   *
   * If a fault replaces the response, the server needs the headers of a usual response. It then
   * passes a request with the method OPTIONS, which no route has, so that it has no effect.
   */
  answer: (incoming: Incoming) => Outgoing;
  /** Returns the body for a `status` fault that has none. */
  faultBody: (status: number) => unknown;
  ownFaults: OwnFaults<Own>;
  /** Returns the body of `GET /_emulator/state`. `query` is the query of the request. */
  snapshot: (query: URLSearchParams) => unknown;
  /** Actions of users that `POST /_emulator/<name>` performs, by name. */
  userActions?: Readonly<Record<string, UserAction>>;
  /** Returns the HTML page at this path; null if there is none. */
  page?: (pathname: string) => string | null;
}

/** All faults that a host supports. */
export type HostFaultAction<Own> = FaultAction | Own;
