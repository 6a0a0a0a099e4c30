import { requireLevel } from './access.ts';
import type { Call, Reply, Route } from './call.ts';
import { GitLabError, notFound } from './gitlab-error.ts';
import { callerOf, projectOf } from './lookup.ts';
import type { Hook, Project } from './model.ts';
import { page } from './pagination.ts';
import { hookFlags, presentHook } from './present.ts';
import { accessLevels } from './seed.ts';

const path = '/projects/:id/hooks';

/** Routes for the webhooks of a project. Only maintainers can use them. */
export const hookRoutes: readonly Route[] = [
  { method: 'GET', path, handle: listHooks },
  { method: 'POST', path, handle: createHook },
  { method: 'PUT', path: `${path}/:hookId`, handle: updateHook },
  { method: 'DELETE', path: `${path}/:hookId`, handle: removeHook },
];

function administered(call: Call): Project {
  const project = projectOf(call);
  requireLevel(callerOf(call), project, accessLevels.maintainer);
  return project;
}

function hookOf(call: Call, project: Project): Hook {
  const hook = project.hooks.find(({ id }) => String(id) === call.path.hookId);
  if (!hook) throw notFound();
  return hook;
}

function listHooks(call: Call): Reply {
  const project = administered(call);
  return page(call, project.hooks, (hook) => presentHook(project, hook));
}

/**
 * Creates a webhook. By default, push events are on and all other events are off. The same URL can
 * be registered twice.
 */
function createHook(call: Call): Reply {
  const url = call.params.requiredText('url');
  const project = administered(call);
  if (!/^https?:\/\//.test(url)) {
    throw new GitLabError(422, { error: ['is blocked: Only allowed schemes are http, https'] });
  }
  const { store } = call.host;
  const events = new Set<string>(['push_events']);
  const hook: Hook = { id: store.nextId(), url, token: null, events, createdMs: store.now() };
  applyTo(hook, call);
  project.hooks.push(hook);
  return { status: 201, body: presentHook(project, hook) };
}

function updateHook(call: Call): Reply {
  const project = administered(call);
  const hook = hookOf(call, project);
  hook.url = call.params.text('url') ?? hook.url;
  applyTo(hook, call);
  return { status: 200, body: presentHook(project, hook) };
}

function applyTo(hook: Hook, { params }: Call): void {
  hook.token = params.text('token') ?? hook.token;
  for (const flag of hookFlags) {
    const on = params.flag(flag);
    if (on === true) hook.events.add(flag);
    if (on === false) hook.events.delete(flag);
  }
}

function removeHook(call: Call): Reply {
  const project = administered(call);
  const hook = hookOf(call, project);
  project.hooks = project.hooks.filter((entry) => entry !== hook);
  return { status: 204 };
}
