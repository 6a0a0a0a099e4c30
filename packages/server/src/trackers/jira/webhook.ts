import { z } from 'zod';
import { firstLine } from '../../platform/text.ts';
import type { TrackerEvent, TrackerEventType, WebhookFormat, WebhookRequest } from '../provider.ts';
import { cut } from '../rest/failures.ts';
import { cleanText, storableText } from '../rest/read.ts';
import { headerOf, isSecret, isSigned, readDelivery } from '../rest/webhook.ts';
import { cloudDialect, type Dialect, dataCenterDialect, wireUser } from './dialect.ts';
import { isDone, loginOf, wireStatus } from './map.ts';

const wireId = z.union([storableText, z.number().transform(String)]);
/** Latest time with a four-digit year. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31);
const wireInstant = z.number().min(0).max(MAX_TIME_MS);
/** Schema of an update time. A missing or unreadable time becomes null. */
const wireTime = z.unknown().transform((text) => {
  const { data: ms } = wireInstant.safeParse(typeof text === 'string' ? Date.parse(text) : null);
  return ms === undefined ? null : new Date(ms);
});

const wireDelivery = z.object({
  timestamp: wireInstant,
  webhookEvent: z.string(),
  user: wireUser.nullish(),
  issue: z
    .object({
      id: wireId,
      key: storableText,
      self: z.string().nullish(),
      fields: z
        .object({
          summary: z.string().nullish(),
          updated: wireTime.optional(),
          status: wireStatus.nullish(),
          project: z.object({ id: wireId, key: storableText }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  comment: z
    .object({
      id: wireId,
      author: wireUser.nullish(),
      updateAuthor: wireUser.nullish(),
      body: z.unknown(),
      updated: wireTime.optional(),
    })
    .nullish(),
  changelog: z
    .object({
      items: z.array(z.object({ field: z.string(), from: z.string().nullish(), to: z.string().nullish() })),
    })
    .nullish(),
});
type WireDelivery = z.infer<typeof wireDelivery>;

const EVENTS: Readonly<Record<string, TrackerEventType>> = {
  'jira:issue_created': 'issue_opened',
  'jira:issue_updated': 'issue_updated',
  'jira:issue_deleted': 'issue_deleted',
  comment_created: 'comment_created',
  comment_updated: 'comment_updated',
  comment_deleted: 'comment_deleted',
};

/**
 * Webhook format of Jira. Jira signs deliveries of a webhook that has a secret (`X-Hub-Signature`).
 * Otherwise the secret is part of the webhook's URL.
 */
export const jiraWebhook: WebhookFormat = {
  events: ['Issue: created, updated, deleted', 'Comment: created, updated, deleted'],
  isSecretInAddress: true,

  read(request, secret) {
    if (!knowsSecret(request, secret)) return null;
    const delivery = readDelivery(wireDelivery, request.body, 'Jira delivered an unreadable event.');
    return { id: headerOf(request, 'x-atlassian-webhook-identifier'), events: eventsOf(delivery) };
  },
};

function knowsSecret(request: WebhookRequest, secret: string): boolean {
  const signature = headerOf(request, 'x-hub-signature');
  return signature === null
    ? isSecret(request.addressSecret ?? '', secret)
    : isSigned(signature, request.body, secret);
}

function eventsOf(delivery: WireDelivery): TrackerEvent[] {
  const { issue, comment } = delivery;
  const type = typeOf(delivery);
  const project = issue?.fields?.project;
  if (type === null || !issue || !project) return [];
  const dialect = dialectOf(delivery);
  const actor = delivery.user ?? comment?.updateAuthor ?? comment?.author;
  const title = cleanText(issue.fields?.summary ?? '');
  const site = /^(.*)\/rest\/api\//.exec(issue.self ?? '')?.[1];
  return [
    {
      type,
      project: { externalId: project.id, identifier: project.key },
      issueExternalId: issue.id,
      actor: actor ? loginOf(dialect, actor) : null,
      occurredAt: updatedAt(type, delivery) ?? new Date(delivery.timestamp),
      ...(comment && type.startsWith('comment_') ? { commentExternalId: comment.id } : {}),
      details: {
        title: cut(firstLine(title)),
        key: issue.key,
        ...(site === undefined ? {} : { url: `${site}/browse/${issue.key}` }),
        ...(comment ? { comment: cleanText(dialect.readText(comment.body)) } : {}),
      },
    },
  ];
}

/**
 * Returns the update time of the issue or comment, which the API reports as well. Returns null for
 * a deletion.
 */
function updatedAt(type: TrackerEventType, { issue, comment }: WireDelivery): Date | null {
  if (type.endsWith('_deleted')) return null;
  return (type.startsWith('comment_') ? comment?.updated : issue?.fields?.updated) ?? null;
}

/**
 * Returns the event type of a delivery. Moving an issue into a done status is a closing, moving it
 * out is a reopening.
 */
function typeOf({ webhookEvent, issue, changelog }: WireDelivery): TrackerEventType | null {
  const type = EVENTS[webhookEvent] ?? null;
  if (type !== 'issue_updated') return type;
  const items = changelog?.items ?? [];
  const status = issue?.fields?.status;
  if (!status || !items.some(({ field }) => field === 'status')) return type;
  // Jira does not report if the previous status was a done status. A cleared resolution shows that
  // it was.
  if (isDone(status)) return 'issue_closed';
  const wasResolved = items.some(({ field, from, to }) => field === 'resolution' && from && !to);
  return wasResolved ? 'issue_reopened' : type;
}

/** Returns the dialect of a delivery. Only Cloud identifies users by account id. */
function dialectOf({ user, comment }: WireDelivery): Dialect {
  const person = user ?? comment?.author;
  return person?.accountId ? cloudDialect : dataCenterDialect;
}
