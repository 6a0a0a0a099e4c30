import type { IncomingHttpHeaders } from 'node:http';
import type { FaultAction } from './faults.ts';
import type { JsonObject } from './json.ts';
import type { UserAction } from './user-actions.ts';

/** A request as an emulated host receives it. */
export interface Incoming {
  method: string;
  /** raw path and query */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** origin of the emulator, without a trailing slash */
  origin: string;
  /** 1 for the emulator's first request; hosts derive request ids from it */
  serial: number;
}

/** Response of an emulated host. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** login of the caller; null if the host does not know the caller */
  login: string | null;
  /** see `LoggedRequest.path` */
  path: string;
}

/** A request and its response, for validation against the API's description. */
export interface Exchange {
  method: string;
  /** see `LoggedRequest.path` */
  path: string;
  query: Record<string, string>;
  requestHeaders: Record<string, string>;
  /** the request's JSON; undefined if there is none */
  requestBody: unknown;
  status: number;
  responseHeaders: Record<string, string>;
  /** the response's JSON; null if there is none, and the text if it is not JSON */
  responseBody: unknown;
  /** kind of the fault that produced this response, which is then not validated */
  fault: string | null;
}

/** Tracker-specific faults, such as rate limits. Their kinds differ from those of `FaultAction`. */
export interface OwnFaults<Own extends { kind: string }> {
  kinds: readonly Own['kind'][];
  /**
   * Parses an action of one of these kinds received over HTTP.
   * @throws Error that names an invalid field
   */
  read: (action: JsonObject) => Own;
  /**
   * Returns the response that replaces the usual one. `usual` has the headers of every response;
   * the request had no effect.
   */
  answer: (action: Own, usual: Outgoing, incoming: Incoming) => Outgoing;
}

/** An in-memory tracker, as its server requires it. */
export interface EmulatedHost<Own extends { kind: string }> {
  /** Name for use in sentences, such as `GitHub`. */
  name: string;
  /** Current time in milliseconds since 1970. */
  now: () => number;
  /**
   * Responds to a request as the tracker would. Never throws, whatever the caller sends. The server
   * sends OPTIONS, which no route knows, to get the headers of a response that a fault replaces.
   * Such a request has no effect.
   */
  answer: (incoming: Incoming) => Outgoing;
  /** Returns the body of a `status` fault without an explicit body. */
  faultBody: (status: number) => unknown;
  ownFaults: OwnFaults<Own>;
  /** Returns the body of `GET /_emulator/state`; `query` is that of the request. */
  snapshot: (query: URLSearchParams) => unknown;
  /** User actions that `POST /_emulator/<name>` triggers. */
  userActions?: Readonly<Record<string, UserAction>>;
  /** Returns the HTML page at this path for a browser; null if there is none. */
  page?: (pathname: string) => string | null;
}

/** Faults that can apply to a request of this host. */
export type HostFaultAction<Own> = FaultAction | Own;
