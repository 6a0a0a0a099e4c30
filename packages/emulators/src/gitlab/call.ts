import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Params } from './params.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * License of the GitLab host. With `free` and `core`, an issue has at most one assignee and cannot
 * be linked as blocking. `free` rejects such a link because of the license. `core` does not know
 * this type of link.
 */
export type GitLabTier = 'core' | 'free' | 'premium';

/** Properties of the emulated GitLab host. */
export interface Host {
  store: Store;
  webhooks: Webhooks;
  limiter: RateLimiter | null;
  tier: GitLabTier;
  /** True if responses have ETags. False simulates a proxy that removes them. */
  etags: boolean;
  /** True if responses name the original of a duplicate. False simulates a GitLab before 15.1. */
  reportsDuplicates: boolean;
  /** Revoked tokens. */
  revoked: Set<string>;
  /** Maximum number of list items that GitLab counts for its paging headers. GitLab uses 10,000. */
  countLimit: number;
}

/** A parsed request, as routes receive it. */
export interface Call {
  host: Host;
  access: Access;
  /** Decoded parameters of the path. */
  path: Record<string, string>;
  params: Params;
  query: URLSearchParams;
  /**
   * URL without the query, such as `http://host/api/v4/projects/5/issues`. Links to other pages use
   * it.
   */
  pageUrl: string;
  /** Origin of the host, without a trailing slash. */
  origin: string;
}

/** The response of a route. A response with status 204 has no `body`. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route extends RoutePattern {
  /**
   * Scopes that the route accepts. A token needs only one of them. Default: `api`, and for reads
   * also `read_api`.
   */
  scopes?: readonly string[];
  handle: (call: Call) => Reply;
}
