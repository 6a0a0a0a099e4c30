import { hash } from 'node:crypto';
import type { Incoming, Outgoing } from '../http/host.ts';
import { Router } from '../http/router.ts';
import { type Access, authenticate } from './access.ts';
import type { Call, Host, Reply } from './call.ts';
import { GitHubError, moved, notFound } from './github-error.ts';
import { parseJsonObject } from './json-body.ts';
import type { Repo } from './model.ts';
import type { Links } from './present-account.ts';
import { primaryLimitError, rateHeaders } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import { routes } from './routes.ts';

const router = new Router(routes);
const defaultVersion = '2022-11-28';
const versionWithoutAssignee = '2026-03-10';

interface Target {
  /** Decoded segments of the request path. `/api/v3` is removed. */
  segments: string[];
  query: URLSearchParams;
  links: Links;
  /** The repository in the path, if it exists. */
  repo: Repo | undefined;
}

/** Handles a request like GitHub. Never throws, for any request. */
export function dispatch(host: Host, incoming: Incoming): Outgoing {
  const version = incoming.headers['x-github-api-version']?.toString() ?? defaultVersion;
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    date: new Date(host.store.now()).toUTCString(),
    'x-github-request-id': requestIdOf(incoming),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': version,
    ...(host.enterpriseVersion === null ? {} : { 'x-github-enterprise-version': host.enterpriseVersion }),
  };
  const target = locate(host, incoming);
  const out: Outgoing = {
    status: 404,
    headers,
    body: '',
    login: null,
    path: `/${target?.segments.join('/') ?? ''}`,
  };
  if (!target) return plainText(out, 404, 'Not Found');
  if (!incoming.headers['user-agent']) {
    return plainText(
      out,
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
    );
  }
  try {
    const reply = route(host, incoming, target, version, out);
    return finish(out, incoming, reply);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    Object.assign(headers, error.headers);
    return { ...out, status: error.status, body: JSON.stringify(error.body) };
  }
}

function plainText(out: Outgoing, status: number, body: string): Outgoing {
  return { ...out, status, body, headers: { ...out.headers, 'content-type': 'text/plain; charset=utf-8' } };
}

/**
 * Parses the path of a request. Returns null if it is outside the API: on an Enterprise Server, the
 * API is only below `/api/v3`.
 */
function locate(host: Host, incoming: Incoming): Target | null {
  const url = new URL(incoming.url, incoming.origin);
  const prefixed = /^\/api\/v3(?=\/|$)/.test(url.pathname);
  if (host.enterpriseVersion !== null && !prefixed) return null;
  const path = prefixed ? url.pathname.slice('/api/v3'.length) : url.pathname;
  let segments: string[];
  try {
    segments = path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
  const links = { api: `${incoming.origin}${prefixed ? '/api/v3' : ''}`, html: incoming.origin };
  let repo: Repo | undefined;
  if (segments[0] === 'repositories') {
    repo = host.store.repos.find((entry) => entry.id === Number(segments[1]));
    if (repo) segments = ['repos', repo.owner.login, repo.name, ...segments.slice(2)];
  } else if (segments[0] === 'repos') {
    repo = host.store.repo(segments[1] ?? '', segments[2] ?? '');
  }
  return { segments, query: url.searchParams, links, repo };
}

/**
 * Authenticates the caller, applies the rate limit, and runs the matching route. Adds headers to
 * `out`, also if it throws.
 */
function route(host: Host, incoming: Incoming, target: Target, version: string, out: Outgoing): Reply {
  if (version !== defaultVersion && version !== versionWithoutAssignee) {
    throw new GitHubError(400, `The API version "${version}" is not supported.`);
  }
  const access = authenticate(host.store, incoming.headers.authorization);
  out.login = access.account?.login ?? null;
  if (access.token && !access.isFineGrained) out.headers['x-oauth-scopes'] = access.scopes.join(', ');
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
  const found = router.find(method, target.segments);
  if (found?.route.path !== '/rate_limit') spendRequest(host, access, incoming, out);
  redirectRenamed(host, access, target, method);
  if (!found) throw notFound();
  if (access.token) {
    const { scopes, permission } = found.route;
    if (access.isFineGrained && permission) out.headers['x-accepted-github-permissions'] = permission;
    if (!access.isFineGrained && scopes !== undefined) out.headers['x-accepted-oauth-scopes'] = scopes;
  }
  const call: Call = {
    host,
    access,
    params: found.params,
    query: target.query,
    body: method === 'GET' ? {} : parseJsonObject(incoming.body),
    links: target.links,
    pagePath: target.repo
      ? `/repositories/${[target.repo.id, ...target.segments.slice(3)].join('/')}`
      : `/${target.segments.map(encodeURIComponent).join('/')}`,
    withAssignee: version === defaultVersion,
  };
  const reply = found.route.handle(call);
  if (method !== 'GET' || reply.status !== 200) return reply;
  return conditional(host, access, incoming, out, reply);
}

/**
 * Counts the request against the rate limit.
 * @throws {GitHubError} 403 if no requests are left
 */
function spendRequest(host: Host, access: Access, incoming: Incoming, out: Outgoing): void {
  const { limiter, store } = host;
  if (!limiter) return;
  const caller = access.account?.login ?? '';
  const spent = limiter.state(caller).remaining === 0;
  if (!spent) limiter.spend(caller);
  Object.assign(out.headers, rateHeaders(limiter.state(caller)));
  if (!spent) return;
  const at = `${new Date(store.now()).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  throw primaryLimitError(403, access.account?.id ?? 0, requestIdOf(incoming), at);
}

/**
 * Redirects a request for a renamed repository to the repository's URL by id. The status is 301 for
 * reads and 307 for writes, because 307 preserves the method.
 */
function redirectRenamed(
  host: Host,
  access: Access,
  { segments, links, repo }: Target,
  method: string,
): void {
  if (repo || segments[0] !== 'repos') return;
  const renamed = host.store.renamedRepo(segments[1] ?? '', segments[2] ?? '');
  if (!renamed || !access.hasRole(renamed, 'read')) return;
  const url = `${links.api}/repositories/${[renamed.id, ...segments.slice(3)].join('/')}`;
  throw moved(url, method === 'GET' ? 301 : 307);
}

/**
 * Adds an ETag. If the caller already has this response, returns status 304, which is free for
 * callers with a token. The ETag is a hash of the body only. An unchanged page therefore gets 304
 * even if its `Link` header has changed.
 */
function conditional(host: Host, access: Access, incoming: Incoming, out: Outgoing, reply: Reply): Reply {
  const text = JSON.stringify(reply.body);
  const tag = `"${hash('sha256', text)}"`;
  out.headers.etag = `W/${tag}`;
  out.headers['cache-control'] = 'private, max-age=60, s-maxage=60';
  out.headers.vary = 'Accept, Authorization, Cookie, X-GitHub-OTP';
  out.body = text;
  const known = incoming.headers['if-none-match'];
  if (known === undefined) return reply;
  const tags = known.split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  if (!tags.includes(tag) && !tags.includes('*')) return reply;
  if (host.limiter && access.account) {
    host.limiter.refund(access.account.login);
    Object.assign(out.headers, rateHeaders(host.limiter.state(access.account.login)));
  }
  out.body = '';
  delete out.headers['content-type'];
  return { status: 304 };
}

function finish(out: Outgoing, incoming: Incoming, reply: Reply): Outgoing {
  Object.assign(out.headers, reply.headers);
  if (reply.body === undefined) delete out.headers['content-type'];
  const body = reply.body === undefined ? '' : out.body || JSON.stringify(reply.body);
  return { ...out, status: reply.status, body: incoming.method === 'HEAD' ? '' : body };
}
