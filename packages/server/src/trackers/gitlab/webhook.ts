import { z } from 'zod';
import type { TrackerEvent, TrackerEventType, WebhookFormat } from '../provider.ts';
import { cleanText, storableText } from '../rest/read.ts';
import { headerOf, isSecret, readDelivery } from '../rest/webhook.ts';

/** Parses the two time formats of GitLab: ISO 8601 and `2015-05-17 17:06:40 UTC`. */
const time = z.string().transform((text, context) => {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
const project = z.object({
  id: z.int(),
  path_with_namespace: storableText,
  web_url: z.string().nullish(),
  default_branch: z.string().nullish(),
});
const user = z.object({ username: z.string() });
const item = z.object({ iid: z.int(), title: z.string().nullish() });

const itemHook = z.object({
  user: user.nullish(),
  project,
  object_attributes: item.extend({
    action: z.string().nullish(),
    url: z.string().nullish(),
    source_branch: z.string().nullish(),
    updated_at: time,
  }),
});

const noteHook = z.object({
  user: user.nullish(),
  project,
  object_attributes: z.object({
    id: z.int(),
    note: z.string(),
    noteable_type: z.string(),
    action: z.string().nullish(),
    system: z.boolean().nullish(),
    url: z.string().nullish(),
    created_at: time,
    updated_at: time,
  }),
  issue: item.nullish(),
  merge_request: item.nullish(),
});

const pushHook = z.object({
  ref: z.string(),
  after: z.string(),
  user_username: z.string().nullish(),
  project,
  commits: z.array(z.object({ id: z.string(), message: z.string(), timestamp: time })).nullish(),
});

const ISSUE_EVENTS: Readonly<Record<string, TrackerEventType>> = {
  open: 'issue_opened',
  close: 'issue_closed',
  reopen: 'issue_reopened',
};
const MERGE_REQUEST_EVENTS: Readonly<Record<string, TrackerEventType>> = {
  open: 'change_request_opened',
  close: 'change_request_closed',
  merge: 'change_request_merged',
};
const NOTE_EVENTS: Readonly<Record<string, TrackerEventType>> = {
  create: 'comment_created',
  update: 'comment_updated',
};

/**
 * Webhook format of GitLab, authenticated by the secret in the header `X-Gitlab-Token`. GitLab does
 * not report deletions. It reports no time for a push, so the event has the time of the last
 * commit. A push without commits has no event.
 */
export const gitLabWebhook: WebhookFormat = {
  events: [
    'Issues events',
    'Confidential issues events',
    'Comments',
    'Confidential comments',
    'Merge request events',
    'Push events',
  ],
  isSecretInAddress: false,

  read(request, secret) {
    if (!isSecret(headerOf(request, 'x-gitlab-token') ?? '', secret)) return null;
    const id = headerOf(request, 'idempotency-key') ?? headerOf(request, 'x-gitlab-event-uuid');
    return { id, events: eventsOf(headerOf(request, 'x-gitlab-event') ?? '', request.body) };
  },
};

function eventsOf(name: string, body: Buffer): TrackerEvent[] {
  switch (name) {
    case 'Issue Hook':
    case 'Confidential Issue Hook':
      return [itemEvent(read(itemHook, name, body), ISSUE_EVENTS, '')];
    case 'Merge Request Hook':
      return [itemEvent(read(itemHook, name, body), MERGE_REQUEST_EVENTS, '!')];
    case 'Note Hook':
    case 'Confidential Note Hook':
      return noteEvents(read(noteHook, name, body));
    case 'Push Hook':
      return pushEvents(read(pushHook, name, body));
    default:
      return [];
  }
}

/**
 * Parses the body of a delivery.
 * @throws {TrackerError} `malformed` if the body does not have GitLab's format
 */
function read<T>(schema: z.ZodType<T>, name: string, body: Buffer): T {
  return readDelivery(schema, body, `GitLab delivered a ${name} that is unreadable.`);
}

/**
 * Returns the event of an issue or merge request. An action for which no event type exists, such as
 * an approval, becomes an update.
 */
function itemEvent(
  hook: z.infer<typeof itemHook>,
  types: Readonly<Record<string, TrackerEventType>>,
  sign: '' | '!',
): TrackerEvent {
  const { action, iid, updated_at, title, url, source_branch } = hook.object_attributes;
  return {
    type: types[action ?? ''] ?? (sign === '' ? 'issue_updated' : 'change_request_updated'),
    project: projectOf(hook.project),
    issueExternalId: `${sign}${iid}`,
    actor: hook.user?.username ?? null,
    occurredAt: updated_at,
    details: detailsOf({ title, url, branch: source_branch }),
  };
}

function noteEvents(hook: z.infer<typeof noteHook>): TrackerEvent[] {
  const { id, noteable_type, system, action, note, url, created_at, updated_at } = hook.object_attributes;
  const isOnIssue = noteable_type === 'Issue';
  const on = isOnIssue ? hook.issue : noteable_type === 'MergeRequest' ? hook.merge_request : null;
  // Older GitLab versions send no action, and deliver only new notes.
  const type = NOTE_EVENTS[action ?? 'create'];
  if (!on || system || type === undefined) return [];
  return [
    {
      type,
      project: projectOf(hook.project),
      issueExternalId: `${isOnIssue ? '' : '!'}${on.iid}`,
      commentExternalId: String(id),
      actor: hook.user?.username ?? null,
      occurredAt: type === 'comment_created' ? created_at : updated_at,
      details: detailsOf({ title: on.title, url, comment: note }),
    },
  ];
}

function pushEvents({
  ref,
  after,
  project: where,
  user_username,
  commits,
}: z.infer<typeof pushHook>): TrackerEvent[] {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  const last = commits?.at(-1);
  if (branch === undefined || last === undefined) return [];
  const lines = (commits ?? []).map(
    ({ id, message }) => `${id.slice(0, 10)} ${message.split('\n', 1)[0] ?? ''}`,
  );
  const event = {
    project: projectOf(where),
    issueExternalId: null,
    head: after,
    actor: user_username ?? null,
    occurredAt: last.timestamp,
    details: detailsOf({ url: where.web_url, branch, commits: lines.join('\n') }),
  };
  const types: TrackerEventType[] = branch === where.default_branch ? ['push', 'commit_to_main'] : ['push'];
  return types.map((type) => ({ type, ...event }));
}

function projectOf({ id, path_with_namespace }: z.infer<typeof project>): TrackerEvent['project'] {
  return { externalId: String(id), identifier: path_with_namespace };
}

function detailsOf(known: Record<string, string | null | undefined>): Record<string, string> {
  const there = Object.entries(known).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, cleanText(value)] as const],
  );
  return Object.fromEntries(there);
}
