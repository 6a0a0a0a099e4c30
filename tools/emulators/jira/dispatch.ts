import type { Incoming, Outgoing } from '../http/host.ts';
import { isObject, type JsonObject } from '../http/json.ts';
import { Router } from '../http/router.ts';
import { type Access, authenticate } from './access.ts';
import type { Reply, Route } from './call.ts';
import type { IssueChanges } from './issue-changes.ts';
import { JiraError } from './jira-error.ts';
import { issueRoutes } from './routes-issues.ts';
import { searchRoutes } from './routes-search.ts';
import { siteRoutes } from './routes-site.ts';
import { workRoutes } from './routes-work.ts';
import type { Store } from './store.ts';

const router = new Router<Route>([...siteRoutes, ...searchRoutes, ...issueRoutes, ...workRoutes]);

/** Answers one request as Jira would. Never throws for what a caller can send. */
export function dispatch(store: Store, changes: IssueChanges, incoming: Incoming): Outgoing {
  const url = new URL(incoming.url, incoming.origin);
  const root = `${store.site.contextPath}/rest/api/${store.isCloud ? '3' : '2'}`;
  const headers: Record<string, string> = {
    'content-type': 'application/json;charset=UTF-8',
    date: new Date(store.now()).toUTCString(),
    'x-arequestid': String(incoming.serial),
    ...(store.isCloud ? { 'atl-traceid': String(incoming.serial) } : {}),
  };
  const out: Outgoing = { status: 404, headers, body: '', login: null, path: decoded(url.pathname) };
  if (!url.pathname.startsWith(`${root}/`)) {
    headers['content-type'] = 'text/html;charset=UTF-8';
    return { ...out, body: '<html><head><title>Oops, you&#39;ve found a dead link.</title></head></html>' };
  }
  // As the API's description has it: from its root, whatever the site is below.
  out.path = out.path.slice(store.site.contextPath.length);
  try {
    const access = authenticate(store, incoming.headers);
    Object.assign(headers, access.headers);
    out.login = access.user?.name ?? null;
    const reply = route(store, changes, { incoming, url, root, access });
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
  store: Store,
  changes: IssueChanges,
  { incoming, url, root, access }: { incoming: Incoming; url: URL; root: string; access: Access },
): Reply {
  const segments = url.pathname
    .slice(root.length + 1)
    .split('/')
    .map(decoded);
  const found = router.find(incoming.method, segments);
  const isHere = found?.route.only === undefined || found.route.only === store.site.deployment;
  if (found === null || !isHere)
    throw new JiraError(404, [`null for uri: ${incoming.origin}${incoming.url}`]);
  return found.route.handle({
    store,
    changes,
    user: access.user,
    params: found.params,
    query: url.searchParams,
    body: parseBody(incoming.body),
    view: {
      store,
      api: `${incoming.origin}${root}`,
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
