import type { IncomingHttpHeaders } from 'node:http';
import type { Act } from './acts.ts';
import type { FaultAction } from './faults.ts';
import type { JsonObject } from './json.ts';

/** One request as an emulated host gets it. */
export interface Incoming {
  method: string;
  /** path and query as sent */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** origin of the emulator, without a slash at the end */
  origin: string;
  /** 1 for the emulator's first request, for the ids hosts give to requests */
  serial: number;
}

/** What the host answers. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** who asked; null for nobody the host knows */
  login: string | null;
  /** see `LoggedRequest.path` */
  path: string;
}

/** A request and its answer, for checking both against the API's description. */
export interface Exchange {
  method: string;
  /** see `LoggedRequest.path` */
  path: string;
  query: Record<string, string>;
  requestHeaders: Record<string, string>;
  /** the JSON that was sent; undefined for none */
  requestBody: unknown;
  status: number;
  responseHeaders: Record<string, string>;
  /** the JSON that was answered, null for none, the text when it was no JSON */
  responseBody: unknown;
  /** kind of the fault that made this answer, so that it need not be checked */
  fault: string | null;
}

/** Faults only this tracker has, such as its words for a rate limit. Their kinds differ from those of `FaultAction`. */
export interface OwnFaults<Own extends { kind: string }> {
  kinds: readonly Own['kind'][];
  /** Reads an action of one of these kinds that came over HTTP. @throws Error that says which field is wrong */
  read: (action: JsonObject) => Own;
  /** The answer in place of the usual one. `usual` has the headers of every answer; the request took no effect. */
  answer: (action: Own, usual: Outgoing, incoming: Incoming) => Outgoing;
}

/** A tracker in memory, as the server around it needs it. */
export interface EmulatedHost<Own extends { kind: string }> {
  /** in sentences: `GitHub` */
  name: string;
  /** milliseconds since 1970 */
  now: () => number;
  /**
   * Answers a request as the tracker would and never throws for what a caller can send. Asked with the method OPTIONS,
   * which no route knows, it changes nothing: so the server learns the headers of an answer that a fault replaces.
   */
  answer: (incoming: Incoming) => Outgoing;
  /** The body of a fault of kind `status` that brings none. */
  faultBody: (status: number) => unknown;
  ownFaults: OwnFaults<Own>;
  /** What `GET /_emulator/state` tells; `query` is that of the request. */
  snapshot: (query: URLSearchParams) => unknown;
  /** What a person can have happen here with `POST /_emulator/<name>`. */
  acts?: Readonly<Record<string, Act>>;
  /** The HTML page at this path, where a browser finds one; null for none. */
  page?: (pathname: string) => string | null;
}

/** What can happen to a request of this host. */
export type HostFaultAction<Own> = FaultAction | Own;
