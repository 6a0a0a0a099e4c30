import type { JsonObject } from '../http/json.ts';
import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Links } from './present-account.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';

/** Properties of the emulated GitHub host. */
export interface Host {
  store: Store;
  /**
   * Rate limiter. Null if the host has no rate limit, which is the default of an Enterprise Server.
   */
  limiter: RateLimiter | null;
  /** Version of the Enterprise Server; null for github.com. */
  enterpriseVersion: string | null;
  /** True if the host supports the state reason `duplicate`. */
  duplicateReason: boolean;
  /** True if the host supports dependencies between issues. */
  dependencies: boolean;
}

/** A parsed request, as routes receive it. */
export interface Call {
  host: Host;
  access: Access;
  params: Record<string, string>;
  query: URLSearchParams;
  body: JsonObject;
  links: Links;
  /** Path without the query, relative to the API root. Links to other pages use it. */
  pagePath: string;
  /**
   * False if issues have only the field `assignees` in the requested API version. True if they also
   * have the field `assignee`.
   */
  withAssignee: boolean;
}

/** The response of a route. A response with status 204 has no `body`. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route extends RoutePattern {
  /** OAuth scopes for the header `x-accepted-oauth-scopes`. A token needs only one of them. */
  scopes?: string;
  /** Permission that a fine-grained token needs, for the header `x-accepted-github-permissions`. */
  permission?: string;
  handle: (call: Call) => Reply;
}
