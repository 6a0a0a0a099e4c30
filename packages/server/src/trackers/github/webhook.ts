import { z } from 'zod';
import type { TrackerEvent, TrackerEventType, WebhookFormat } from '../provider.ts';
import { cleanText, storableText } from '../rest/read.ts';
import { headerOf, isSigned, readDelivery } from '../rest/webhook.ts';
import { wireAccount } from './map.ts';

const repository = z.object({
  id: z.int(),
  full_name: storableText,
  default_branch: z.string().nullish(),
});
const subject = z.object({
  number: z.int(),
  title: z.string(),
  html_url: z.string().nullish(),
  updated_at: z.string().nullish(),
  pull_request: z.object({}).nullish(),
});
const common = { repository, sender: wireAccount.nullish() };
const issues = z.object({ action: z.string(), issue: subject, ...common });
const pullRequest = z.object({
  action: z.string(),
  pull_request: subject.extend({ merged: z.boolean().nullish() }),
  ...common,
});
const comment = z.object({
  action: z.string(),
  issue: subject,
  comment: z.object({
    id: z.int(),
    body: z.string().nullish(),
    html_url: z.string().nullish(),
    updated_at: z.string(),
  }),
  ...common,
});
const push = z.object({
  ref: z.string(),
  after: z.string(),
  deleted: z.boolean().nullish(),
  commits: z.array(z.object({ id: z.string(), message: z.string() })).nullish(),
  head_commit: z.object({ timestamp: z.string().nullish() }).nullish(),
  ...common,
});

const ISSUE_ACTIONS: Readonly<Record<string, TrackerEventType>> = {
  opened: 'issue_opened',
  closed: 'issue_closed',
  reopened: 'issue_reopened',
  deleted: 'issue_deleted',
  // The issue was transferred to another repository. That repository's webhook reports it as
  // opened.
  transferred: 'issue_deleted',
};
const COMMENT_ACTIONS: Readonly<Record<string, TrackerEventType>> = {
  created: 'comment_created',
  edited: 'comment_updated',
  deleted: 'comment_deleted',
};

/**
 * Webhook format of GitHub. The header `X-Hub-Signature-256` contains a signature of the unparsed
 * body.
 */
export const gitHubWebhook: WebhookFormat = {
  events: ['Issues', 'Issue comments', 'Pull requests', 'Pushes'],
  isSecretInAddress: false,

  read(request, secret) {
    if (!isSigned(headerOf(request, 'x-hub-signature-256') ?? '', request.body, secret)) return null;
    const events = eventsOf(headerOf(request, 'x-github-event') ?? '', request.body);
    return { id: headerOf(request, 'x-github-delivery'), events };
  },
};

function eventsOf(kind: string, body: Buffer): TrackerEvent[] {
  switch (kind) {
    case 'issues': {
      const { action, issue, ...about } = read(issues, body);
      return [itemEvent(ISSUE_ACTIONS[action] ?? 'issue_updated', issue, about)];
    }
    case 'pull_request': {
      const { action, pull_request: item, ...about } = read(pullRequest, body);
      const ended = item.merged === true ? 'change_request_merged' : 'change_request_closed';
      const type =
        action === 'opened'
          ? 'change_request_opened'
          : action === 'closed'
            ? ended
            : 'change_request_updated';
      return [itemEvent(type, item, about)];
    }
    case 'issue_comment': {
      const { action, issue, comment: said, ...about } = read(comment, body);
      const type = COMMENT_ACTIONS[action];
      if (type === undefined) return [];
      const event = itemEvent(type, issue, about);
      const details = { ...event.details, comment: cleanText(said.body ?? '') };
      return [{ ...event, commentExternalId: String(said.id), occurredAt: timeOf(said.updated_at), details }];
    }
    case 'push':
      return pushEvents(read(push, body));
    default:
      return [];
  }
}

interface About {
  repository: z.infer<typeof repository>;
  sender?: z.infer<typeof wireAccount> | null | undefined;
}

function itemEvent(type: TrackerEventType, item: z.infer<typeof subject>, about: About): TrackerEvent {
  return {
    type,
    ...placeOf(about),
    issueExternalId: String(item.number),
    occurredAt: timeOf(item.updated_at),
    details: { title: cleanText(item.title), url: item.html_url ?? '' },
  };
}

/**
 * Returns the events of a push to a branch. Returns none if the push deletes the branch or pushes a
 * tag.
 */
function pushEvents({
  ref,
  after,
  deleted,
  commits,
  head_commit,
  ...about
}: z.infer<typeof push>): TrackerEvent[] {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (branch === undefined || deleted === true) return [];
  const event = {
    ...placeOf(about),
    issueExternalId: null,
    head: after,
    occurredAt: timeOf(head_commit?.timestamp),
    details: {
      branch,
      commits: (commits ?? [])
        .map(({ id, message }) => `${id.slice(0, 10)} ${cleanText(message.split('\n', 1)[0] ?? '')}`)
        .join('\n'),
    },
  };
  const isDefault = branch === about.repository.default_branch;
  return [{ ...event, type: 'push' }, ...(isDefault ? [{ ...event, type: 'commit_to_main' as const }] : [])];
}

function placeOf({ repository: { id, full_name }, sender }: About): Pick<TrackerEvent, 'project' | 'actor'> {
  return { project: { externalId: String(id), identifier: full_name }, actor: sender?.login ?? null };
}

function timeOf(text: string | null | undefined): Date | null {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Parses the body of a delivery.
 * @throws {TrackerError} `malformed` if the body does not have GitHub's format
 */
function read<T>(schema: z.ZodType<T>, body: Buffer): T {
  return readDelivery(schema, body, 'GitHub sent an unreadable webhook.');
}
