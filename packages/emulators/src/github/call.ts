import type { JsonObject } from '../http/json.ts';
import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Links } from './present-account.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';

/** Properties of the emulated host. */
export interface Host {
  store: Store;
  /** Null if there is no limit, which is the default of an Enterprise Server. */
  limiter: RateLimiter | null;
  /** Version of the Enterprise Server; null for github.com. */
  enterpriseVersion: string | null;
  /** True if the host supports the state reason `duplicate`. */
  duplicateReason: boolean;
  /** True if the host supports dependencies between issues. */
  dependencies: boolean;
}

/** A request in the form that routes receive. */
export interface Call {
  host: Host;
  access: Access;
  params: Record<string, string>;
  query: URLSearchParams;
  body: JsonObject;
  links: Links;
  /** Path without the query, relative to the API root. Links to further pages use it. */
  pagePath: string;
  /** False if the requested API version has no field `assignee`, only `assignees`. */
  withAssignee: boolean;
}

/** The response of a route. A 204 has no `body`. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route extends RoutePattern {
  /** OAuth scopes for the header `x-accepted-oauth-scopes`. Any one of them is enough. */
  scopes?: string;
  /**
   * Permission required of a fine-grained token, for the header `x-accepted-github-permissions`.
   */
  permission?: string;
  handle: (call: Call) => Reply;
}
