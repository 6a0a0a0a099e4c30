import type { JsonObject } from '../http/json.ts';
import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Links } from './present-account.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';

/** What the emulated host is like. */
export interface Host {
  store: Store;
  /** null where no limit is on, which is how an Enterprise Server comes */
  limiter: RateLimiter | null;
  /** version of the Enterprise Server; null for github.com */
  enterpriseVersion: string | null;
  /** does the host know the state reason `duplicate`? */
  duplicateReason: boolean;
  /** does the host know dependencies between issues? */
  dependencies: boolean;
}

/** One request, as a route sees it. */
export interface Call {
  host: Host;
  access: Access;
  params: Record<string, string>;
  query: URLSearchParams;
  body: JsonObject;
  links: Links;
  /** path without query, under which further pages are found, from the root of the API */
  pagePath: string;
  /** false for the API version without the single `assignee` */
  withAssignee: boolean;
}

/** What a route answers; `body` is left out for 204. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route extends RoutePattern {
  /** OAuth scopes any of which would do, for the header `x-accepted-oauth-scopes` */
  scopes?: string;
  /** the permission a fine-grained token needs, for the header `x-accepted-github-permissions` */
  permission?: string;
  handle: (call: Call) => Reply;
}
