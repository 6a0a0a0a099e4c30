import { createHmac, randomUUID } from 'node:crypto';
import type { JiraEvent } from './issue-changes.ts';
import { presentComment, presentIssue, presentUser, type View } from './present.ts';

/** An administrator's webhook, as the settings of Jira make one. */
export interface Webhook {
  url: string;
  /** with it deliveries are signed */
  secret?: string;
}

/** Posts what happens to the registered addresses, one after the other. */
export class Webhooks {
  readonly #view: () => View;
  readonly #hooks: Webhook[] = [];
  #last: Promise<void> = Promise.resolve();
  readonly failures: string[] = [];

  constructor(view: () => View) {
    this.#view = view;
  }

  register(hook: Webhook): void {
    this.#hooks.push(hook);
  }

  /** Resolves when all that happened has been delivered. */
  settled(): Promise<void> {
    return this.#last;
  }

  tell(event: JiraEvent): void {
    if (this.#hooks.length === 0) return;
    const body = JSON.stringify(payloadOf(this.#view(), event));
    for (const hook of this.#hooks) this.#last = this.#last.then(() => this.#deliver(hook, body));
  }

  async #deliver({ url, secret }: Webhook, body: string): Promise<void> {
    const signature =
      secret === undefined
        ? {}
        : { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
    const headers = {
      'content-type': 'application/json; charset=UTF-8',
      'user-agent': 'Atlassian HttpClient unknown / JIRA-1001.0.0-SNAPSHOT (100291) / Default',
      'x-atlassian-webhook-identifier': randomUUID(),
      ...signature,
    };
    try {
      const response = await fetch(url, { method: 'POST', headers, body });
      await response.arrayBuffer();
    } catch (error) {
      this.failures.push(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Texts in a delivery are wiki markup, on Cloud too, where the API has documents. */
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
