import { createHmac, randomUUID } from 'node:crypto';
import { Deliveries } from '../http/deliveries.ts';
import type { JiraEvent } from './issue-changes.ts';
import { presentComment, presentIssue, presentUser, type View } from './present.ts';

/** A webhook that an administrator creates in Jira's settings. */
export interface Webhook {
  url: string;
  name?: string;
  /** Types of events that are sent. Default: all events. */
  events?: readonly string[];
  /** Secret that signs the requests. */
  secret?: string;
}

/** A webhook with its id. */
export interface RegisteredWebhook extends Webhook {
  id: number;
}

/** Sends events to the registered webhooks. */
export class Webhooks {
  readonly #view: () => View;
  #hooks: RegisteredWebhook[] = [];
  #lastId = 0;
  readonly deliveries = new Deliveries();

  constructor(view: () => View) {
    this.#view = view;
  }

  get all(): readonly RegisteredWebhook[] {
    return this.#hooks;
  }

  register(hook: Webhook): RegisteredWebhook {
    this.#lastId += 1;
    const registered = { ...hook, id: this.#lastId };
    this.#hooks.push(registered);
    return registered;
  }

  remove(id: number): void {
    this.#hooks = this.#hooks.filter((hook) => hook.id !== id);
  }

  emit(event: JiraEvent): void {
    const listening = this.#hooks.filter(({ events }) => events?.includes(event.type) ?? true);
    if (listening.length === 0) return;
    const body = JSON.stringify(payloadOf(this.#view(), event));
    for (const { id, url, secret } of listening) {
      const headers = {
        'content-type': 'application/json; charset=UTF-8',
        'user-agent': 'Atlassian HttpClient unknown / JIRA-1001.0.0-SNAPSHOT (100291) / Default',
        'x-atlassian-webhook-identifier': randomUUID(),
        ...(secret === undefined
          ? {}
          : { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
      };
      this.deliveries.send({ hookId: id, url, headers, body });
    }
  }
}

/**
 * Returns the body of a webhook request. Texts are wiki markup, even on Cloud, where the API
 * returns documents.
 */
function payloadOf(view: View, event: JiraEvent): unknown {
  const { type, user, issue } = event;
  const shown = presentIssue(view, issue, {
    fields: null,
    properties: [],
    changelog: false,
    isSearch: false,
  });
  const shared = { timestamp: view.store.now(), webhookEvent: type };
  if (type === 'comment_created' || type === 'comment_updated' || type === 'comment_deleted') {
    const comment = presentComment(view, issue, event.comment, false);
    const { summary, issuetype, project, assignee, priority, status } = shown.fields ?? {};
    return {
      ...shared,
      comment: { ...comment, body: asText(comment.body) },
      issue: { ...shown, fields: { summary, issuetype, project, assignee, priority, status } },
      eventType: 'primaryAction',
    };
  }
  const { comment: _, ...fields } = shown.fields ?? {};
  return {
    ...shared,
    issue_event_type_name: type === 'jira:issue_updated' ? 'issue_generic' : type.replace('jira:', ''),
    user: presentUser(view, user),
    issue: { ...shown, fields: { ...fields, description: asText(fields.description) } },
    ...(type === 'jira:issue_updated' ? { changelog: { id: event.historyId, items: event.items } } : {}),
  };
}

function asText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const texts: string[] = [];
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'text' && typeof inner === 'string') texts.push(inner);
    return inner;
  });
  return texts.join('');
}
