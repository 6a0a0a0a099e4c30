import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Params } from './params.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * License of the host. `free` and `core` allow one assignee per issue and no blocking links; `core`
 * does not recognize the parameter.
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
  /** False for GitLab before 15.1, which does not return the original of a duplicate. */
  tellsDuplicates: boolean;
  /** Revoked tokens. */
  revoked: Set<string>;
  /** Maximum items that a listing counts; 10,000 on GitLab. */
  countLimit: number;
}

/** A request as routes see it. */
export interface Call {
  host: Host;
  access: Access;
  /** path parameters, decoded */
  path: Record<string, string>;
  params: Params;
  query: URLSearchParams;
  /** `http://host/api/v4/projects/5/issues`, for links to further pages */
  pageUrl: string;
  /** of the host, without a trailing slash */
  origin: string;
}

/** The response of a route; `body` is omitted for 204. */
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
