import type { RoutePattern } from '../http/router.ts';
import type { Access } from './access.ts';
import type { Params } from './params.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/** `free` and `core`, the free edition, have one assignee an issue and no blocking links; `core` does not know the word. */
export type GitLabTier = 'core' | 'free' | 'premium';

/** What the emulated host is like. */
export interface Host {
  store: Store;
  webhooks: Webhooks;
  limiter: RateLimiter | null;
  tier: GitLabTier;
  /** false for a host behind a proxy that drops them */
  etags: boolean;
  /** GitLab before 15.1 does not tell of which issue one is the duplicate */
  tellsDuplicates: boolean;
  /** tokens that were taken back */
  revoked: Set<string>;
  /** How many items a listing may have before it is no longer counted; 10 000 at GitLab. */
  countLimit: number;
}

/** One request, as a route sees it. */
export interface Call {
  host: Host;
  access: Access;
  /** of the path, decoded */
  path: Record<string, string>;
  params: Params;
  query: URLSearchParams;
  /** `http://host/api/v4/projects/5/issues`, for links to further pages */
  pageUrl: string;
  /** of the host, without a slash at the end */
  origin: string;
}

/** What a route answers; `body` is left out for 204. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Route extends RoutePattern {
  /** scopes any of which will do; default: `api`, and for reading also `read_api` */
  scopes?: readonly string[];
  handle: (call: Call) => Reply;
}
