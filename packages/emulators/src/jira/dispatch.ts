import type { Incoming, Outgoing } from '../http/host.ts';
import { isObject, type JsonObject } from '../http/json.ts';
import { Router } from '../http/router.ts';
import { type Access, authenticate } from './access.ts';
import type { Call, Reply, Route } from './call.ts';
import { JiraError } from './jira-error.ts';
import { issueRoutes } from './routes-issues.ts';
import { searchRoutes } from './routes-search.ts';
import { siteRoutes } from './routes-site.ts';
import { webhookRoutes } from './routes-webhooks.ts';
import { workRoutes } from './routes-work.ts';

const router = new Router<Route>([...siteRoutes, ...searchRoutes, ...issueRoutes, ...workRoutes]);
const webhookRouter = new Router<Route>(webhookRoutes);

/** Handles a request like Jira. Never throws, for any request. */
export function dispatch(parts: Pick<Call, 'store' | 'changes' | 'webhooks'>, incoming: Incoming): Outgoing {
  const { store } = parts;
  const url = new URL(incoming.url, incoming.origin);
  const root = `${store.site.contextPath}/rest/api/${store.isCloud ? '3' : '2'}`;
  const headers: Record<string, string> = {
    'content-type': 'application/json;charset=UTF-8',
    date: new Date(store.now()).toUTCString(),
    'x-arequestid': String(incoming.serial),
    ...(store.isCloud ? { 'atl-traceid': String(incoming.serial) } : {}),
  };
  const out: Outgoing = { status: 404, headers, body: '', login: null, path: decoded(url.pathname) };
  const webhooksRoot = `${store.site.contextPath}/rest/webhooks/1.0`;
  const routes = [
    { root, router },
    { root: webhooksRoot, router: webhookRouter },
  ].find((candidate) => url.pathname.startsWith(`${candidate.root}/`));
  if (routes === undefined) {
    headers['content-type'] = 'text/html;charset=UTF-8';
    return { ...out, body: '<html><head><title>Oops, you&#39;ve found a dead link.</title></head></html>' };
  }
  // Removes the context path, because paths in the API description do not have one.
  out.path = out.path.slice(store.site.contextPath.length);
  try {
    const access = authenticate(store, incoming.headers);
    Object.assign(headers, access.headers);
    out.login = access.user?.name ?? null;
    const reply = route(parts, { incoming, url, api: root, ...routes, access });
    if (reply.body !== undefined) return { ...out, status: reply.status, body: JSON.stringify(reply.body) };
    delete headers['content-type'];
    return { ...out, status: reply.status };
  } catch (error) {
    if (!(error instanceof JiraError)) throw error;
    Object.assign(headers, error.headers);
    return { ...out, status: error.status, body: JSON.stringify(error.body) };
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function route(
  parts: Pick<Call, 'store' | 'changes' | 'webhooks'>,
  asked: { incoming: Incoming; url: URL; api: string; root: string; router: Router<Route>; access: Access },
): Reply {
  const { incoming, url, api, root, access } = asked;
  const { store } = parts;
  const segments = url.pathname
    .slice(root.length + 1)
    .split('/')
    .map(decoded);
  const found = asked.router.find(incoming.method, segments);
  const isHere = found?.route.only === undefined || found.route.only === store.site.deployment;
  if (found === null || !isHere)
    throw new JiraError(404, [`null for uri: ${incoming.origin}${incoming.url}`]);
  return found.route.handle({
    ...parts,
    user: access.user,
    params: found.params,
    query: url.searchParams,
    body: parseBody(incoming.body),
    view: {
      store,
      api: `${incoming.origin}${api}`,
      timeZone: access.user?.timeZone ?? 'Etc/UTC',
    },
  });
}

function parseBody(text: string): JsonObject {
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JiraError(400, ['There was an error parsing JSON. Check that your request body is valid.']);
  }
  if (!isObject(value))
    throw new JiraError(400, ['Invalid request payload. Refer to the REST API documentation and try again.']);
  return value;
}
