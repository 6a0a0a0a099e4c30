import { hash } from 'node:crypto';
import type { Incoming, Outgoing } from '../http/host.ts';
import { Router } from '../http/router.ts';
import { type Access, authenticate, canReadProject, requireScope } from './access.ts';
import type { Call, Host, Reply, Route } from './call.ts';
import { GitLabError } from './gitlab-error.ts';
import { readParams } from './params.ts';
import { rateHeaders, tooManyRequests } from './rate-limit.ts';
import { accountRoutes } from './routes-account.ts';
import { hookRoutes } from './routes-hooks.ts';
import { itemRoutes } from './routes-items.ts';
import { linkRoutes } from './routes-links.ts';
import { noteRoutes } from './routes-notes.ts';

/** All routes of the emulated API. */
const routes: readonly Route[] = [
  ...accountRoutes,
  ...itemRoutes,
  ...noteRoutes,
  ...linkRoutes,
  ...hookRoutes,
];
const router = new Router(routes);
const apiPath = '/api/v4';

/** Handles a request like GitLab. Never throws, for any request. */
export function dispatch(host: Host, incoming: Incoming): Outgoing {
  const url = new URL(incoming.url, incoming.origin);
  const segments = segmentsOf(url.pathname);
  const out: Outgoing = {
    status: 404,
    headers: {
      'content-type': 'application/json',
      date: new Date(host.store.now()).toUTCString(),
      'x-request-id': `01E${String(incoming.serial).padStart(8, '0')}`,
      'x-gitlab-meta': JSON.stringify({ correlation_id: incoming.serial, version: '1' }),
    },
    body: '',
    login: null,
    path: `/${segments?.join('/') ?? ''}`,
  };
  if (segments === null) return withBody(out, 404, { error: '404 Not Found' });
  try {
    const reply = route(host, incoming, url, segments, out);
    Object.assign(out.headers, reply.headers);
    if (reply.status === 204) {
      const { 'content-type': _, ...headers } = out.headers;
      return { ...out, status: 204, headers };
    }
    return conditional(host, incoming, withBody(out, reply.status, reply.body));
  } catch (error) {
    if (!(error instanceof GitLabError)) throw error;
    Object.assign(out.headers, error.headers);
    return withBody(out, error.status, error.body);
  }
}

/** Adds a response body. A string is sent unchanged, and any other value as JSON. */
function withBody(out: Outgoing, status: number, body: unknown): Outgoing {
  if (typeof body !== 'string') return { ...out, status, body: JSON.stringify(body) };
  return { ...out, status, body, headers: { ...out.headers, 'content-type': 'text/plain' } };
}

/**
 * Returns the decoded segments of the path after `/api/v4/`. Null if the path is outside the API.
 * An encoded slash does not separate segments.
 */
function segmentsOf(pathname: string): string[] | null {
  if (!pathname.startsWith(`${apiPath}/`)) return null;
  try {
    return pathname
      .slice(apiPath.length + 1)
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Applies the rate limit, authenticates the caller, and runs the matching route. */
function route(host: Host, incoming: Incoming, url: URL, segments: string[], out: Outgoing): Reply {
  const isReading = incoming.method === 'GET' || incoming.method === 'HEAD';
  const method = isReading ? 'GET' : incoming.method;
  const given = incoming.headers['private-token'] ?? incoming.headers.authorization ?? '';
  if (host.limiter) {
    const state = host.limiter.spend(String(given));
    Object.assign(out.headers, rateHeaders(state));
    if (state.observed > state.limit) throw tooManyRequests(state);
  }
  const access = authenticate(host.store, host.revoked, incoming.headers);
  out.login = access.user?.username ?? null;
  const found = router.find(method, segments);
  if (!found) throw new GitLabError(404, { error: '404 Not Found' });
  const scopes = found.route.scopes ?? (isReading ? ['api', 'read_api'] : ['api']);
  if (scopes.length > 0) requireScope(access, scopes);
  redirectMoved(host, access, segments, url, incoming, method);
  const params = readParams(url.searchParams, isReading ? '' : incoming.body);
  const call: Call = {
    host,
    access,
    path: found.params,
    params,
    query: url.searchParams,
    pageUrl: `${incoming.origin}${apiPath}/${segments.map(encodeURIComponent).join('/')}`,
    origin: incoming.origin,
  };
  return found.route.handle(call);
}

/**
 * Redirects a read at a project's previous path to the project's URL by id. Writes get status 405.
 */
function redirectMoved(
  host: Host,
  access: Access,
  segments: string[],
  url: URL,
  incoming: Incoming,
  method: string,
): void {
  const [root, path = '', ...rest] = segments;
  if (root !== 'projects' || host.store.project(path)) return;
  const project = host.store.formerPaths.get(path.toLowerCase());
  if (!project || !canReadProject(access.user, project)) return;
  if (method !== 'GET') {
    throw new GitLabError(405, { message: 'Non GET methods are not allowed for moved projects' });
  }
  const target = ['projects', String(project.id), ...rest].map(encodeURIComponent).join('/');
  const location = `${incoming.origin}${apiPath}/${target}${url.search}`;
  throw new GitLabError(301, 'This resource has been moved permanently', { location });
}

/**
 * Adds an ETag of the body, computed like Rack. If the caller already has this response, returns
 * status 304. Such a response counts against the rate limit.
 */
function conditional(host: Host, incoming: Incoming, out: Outgoing): Outgoing {
  const isReading = incoming.method === 'GET' || incoming.method === 'HEAD';
  if (!host.etags || !isReading || out.status !== 200) return out;
  const tag = `"${hash('sha256', out.body).slice(0, 32)}"`;
  const headers: Record<string, string> = {
    ...out.headers,
    etag: `W/${tag}`,
    'cache-control': 'max-age=0, private, must-revalidate',
    vary: 'Origin',
  };
  const known = incoming.headers['if-none-match'] ?? '';
  const isKnown = known.split(',').some((entry) => entry.trim().replace(/^W\//, '') === tag);
  if (!isKnown) return { ...out, headers };
  const { 'content-type': _, ...rest } = headers;
  return { ...out, status: 304, headers: rest, body: '' };
}
