import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Params } from './params.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * License of the host. `free` and `core` allow one assignee per issue and no blocking links. `free`
 * refuses such a link because of its license; `core` does not know the type of the link.
 */
export type GitLabTier = 'core' | 'free' | 'premium';

/** Properties of the emulated host. */
export interface Host {
  store: Store;
  webhooks: Webhooks;
  limiter: RateLimiter | null;
  tier: GitLabTier;
  /** False for a host behind a proxy that drops ETags. */
  etags: boolean;
  /** False for a GitLab before 15.1, whose responses do not name the original of a duplicate. */
  reportsDuplicates: boolean;
  /** Revoked tokens. */
  revoked: Set<string>;
  /** Maximum items of a listing that are counted; 10,000 on GitLab. */
  countLimit: number;
}

/** A request in the form that routes receive. */
export interface Call {
  host: Host;
  access: Access;
  /** Decoded parameters of the path. */
  path: Record<string, string>;
  params: Params;
  query: URLSearchParams;
  /**
   * URL without query for links to further pages, such as `http://host/api/v4/projects/5/issues`.
   */
  pageUrl: string;
  /** Origin of the host, without a trailing slash. */
  origin: string;
}

/** The response of a route. A 204 has no `body`. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route extends RoutePattern {
  /** Accepted scopes. Any one of them is enough. Default: `api`, and for reads also `read_api`. */
  scopes?: readonly string[];
  handle: (call: Call) => Reply;
}
