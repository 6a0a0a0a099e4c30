import { type Call, type Route, userOf } from './call.ts';
import { JiraError } from './jira-error.ts';
import type { User } from './model.ts';
import type { RegisteredWebhook, Webhook } from './webhooks.ts';

/**
 * Returns the caller, who must be an administrator of the site.
 * @throws {JiraError} 401 if the caller is anonymous, and 403 for a user who is not an
 * administrator
 */
function administrator(call: Call): User {
  const user = userOf(call);
  if (user.administrator) return user;
  throw new JiraError(403, ['You do not have permission to manage webhooks.']);
}

function hookOf(call: Call): RegisteredWebhook {
  administrator(call);
  const hook = call.webhooks.all.find(({ id }) => String(id) === call.params.id);
  if (hook !== undefined) return hook;
  throw new JiraError(404, [`A webhook with the ID ${call.params.id} does not exist.`]);
}

function present({ view, user, store }: Call, { id, name, url, events }: RegisteredWebhook) {
  return {
    name: name ?? url,
    url,
    excludeBody: false,
    filters: { 'issue-related-events-section': '' },
    events: events ?? [],
    enabled: true,
    self: `${view.api.replace(/\/rest\/api\/\d$/, '')}/rest/webhooks/1.0/webhook/${id}`,
    lastUpdatedUser: user?.name ?? '',
    lastUpdatedDisplayName: user?.displayName ?? '',
    lastUpdated: store.now(),
  };
}

function read({ body }: Call): Webhook {
  const { name, url, events, secret } = body;
  if (typeof name !== 'string' || name === '') throw new JiraError(400, ['The name must not be empty.']);
  if (typeof url !== 'string' || !/^https?:\/\//.test(url))
    throw new JiraError(400, ['The URL is not valid.']);
  return {
    name,
    url,
    events: Array.isArray(events) ? events.map(String) : [],
    ...(typeof secret === 'string' && secret !== '' ? { secret } : {}),
  };
}

/** Routes for the site's webhooks, below `/rest/webhooks/1.0`. */
export const webhookRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/webhook',
    handle: (call) => {
      administrator(call);
      return { status: 200, body: call.webhooks.all.map((hook) => present(call, hook)) };
    },
  },
  {
    method: 'POST',
    path: '/webhook',
    handle: (call) => {
      administrator(call);
      return { status: 201, body: present(call, call.webhooks.register(read(call))) };
    },
  },
  {
    method: 'GET',
    path: '/webhook/:id',
    handle: (call) => ({ status: 200, body: present(call, hookOf(call)) }),
  },
  {
    method: 'DELETE',
    path: '/webhook/:id',
    handle: (call) => {
      call.webhooks.remove(hookOf(call).id);
      return { status: 204 };
    },
  },
];
