import { isoSeconds } from '../http/clock.ts';
import type { JsonObject } from '../http/json.ts';
import { isObject } from '../http/json.ts';
import type { Call, Reply, Route } from './call.ts';
import { invalidRequest, notFound, validationFailed } from './github-error.ts';
import { optionalNames } from './json-body.ts';
import { repoOf } from './lookup.ts';
import { fullName, type Hook, type Repo } from './model.ts';
import { page } from './pagination.ts';

/**
 * Returns the repository that the path names. Throws 404 unless the caller is its administrator.
 */
function administered(call: Call): Repo {
  const repo = repoOf(call);
  const { access } = call;
  access.person();
  const mayUse = access.isFineGrained
    ? access.grant(repo)?.hooks === 'write'
    : access.scopes.some((scope) => ['repo', 'admin:repo_hook', 'write:repo_hook'].includes(scope));
  if (!mayUse || !access.hasRole(repo, 'admin')) throw notFound();
  return repo;
}

function hookOf(call: Call, repo: Repo): Hook {
  const hook = repo.hooks.find(({ id }) => String(id) === call.params.hook);
  if (!hook) throw notFound();
  return hook;
}

function present(call: Call, repo: Repo, hook: Hook) {
  const url = `${call.links.api}/repos/${fullName(repo)}/hooks/${hook.id}`;
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.active,
    events: hook.events,
    config: {
      url: hook.url,
      content_type: 'json',
      insecure_ssl: '0',
      ...(hook.secret === null ? {} : { secret: '********' }),
    },
    updated_at: isoSeconds(hook.createdMs),
    created_at: isoSeconds(hook.createdMs),
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: null, status: 'unused', message: null },
  };
}

function text(config: JsonObject, name: string): string | null {
  const value = config[name];
  return typeof value === 'string' ? value : null;
}

function create(call: Call): Reply {
  const repo = administered(call);
  const { config } = call.body;
  const url = isObject(config) ? text(config, 'url') : null;
  if (!isObject(config) || url === null) throw invalidRequest('"config" wasn\'t supplied.');
  if (repo.hooks.some((hook) => hook.url === url)) {
    const message = 'Hook already exists on this repository';
    throw validationFailed({ resource: 'Hook', code: 'custom', message });
  }
  const { store } = call.host;
  const hook: Hook = {
    id: store.nextId('hook'),
    url,
    secret: text(config, 'secret'),
    events: optionalNames(call.body, 'events', 'name') ?? ['push'],
    active: call.body.active !== false,
    createdMs: store.now(),
  };
  repo.hooks.push(hook);
  store.webhooks.ping(repo, hook);
  return { status: 201, body: present(call, repo, hook) };
}

function update(call: Call): Reply {
  const repo = administered(call);
  const hook = hookOf(call, repo);
  const { config } = call.body;
  // A new configuration replaces all of the old one, including the secret.
  if (isObject(config)) {
    hook.url = text(config, 'url') ?? hook.url;
    hook.secret = text(config, 'secret');
  }
  hook.events = optionalNames(call.body, 'events', 'name') ?? hook.events;
  if (typeof call.body.active === 'boolean') hook.active = call.body.active;
  return { status: 200, body: present(call, repo, hook) };
}

const needs = { scopes: 'admin:repo_hook, repo, write:repo_hook', permission: 'repository_hooks=write' };
const hooks = '/repos/:owner/:repo/hooks';

/** Routes of a repository's webhooks. */
export const hookRoutes: Route[] = [
  {
    method: 'GET',
    path: hooks,
    ...needs,
    handle: (call) => {
      const repo = administered(call);
      return page(call, repo.hooks, (hook) => present(call, repo, hook));
    },
  },
  { method: 'POST', path: hooks, ...needs, handle: create },
  { method: 'PATCH', path: `${hooks}/:hook`, ...needs, handle: update },
  {
    method: 'DELETE',
    path: `${hooks}/:hook`,
    ...needs,
    handle: (call) => {
      const repo = administered(call);
      const hook = hookOf(call, repo);
      repo.hooks = repo.hooks.filter((other) => other !== hook);
      return { status: 204 };
    },
  },
];
