import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  type ReadWebhook,
  TrackerError,
  type TrackerEvent,
  type TrackerEventType,
  type WebhookDelivery,
} from '../provider.ts';
import { cut, firstLine } from '../rest/failures.ts';
import { cleanText, storableText } from '../rest/read.ts';
import { cloudDialect, type Dialect, dataCenterDialect, wireUser } from './dialect.ts';
import { isDone, loginOf, wireStatus } from './map.ts';

const wireId = z.union([storableText, z.number().transform(String)]);
/** The end of the last year that is written with four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31);
const wireInstant = z.number().min(0).max(LATEST_MS);
/** When it was updated, where that is told and can be read. */
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
 * Reads a delivery of a webhook that an administrator of Jira made. With a secret in its settings it is signed
 * (`X-Hub-Signature`); else the secret stands in its address, and whoever takes the request puts what stood there as
 * `secret` into the header `x-winnow-webhook-secret`.
 */
export const readJiraWebhook: ReadWebhook = ({ headers, body }, secret) => {
  if (secret === '' || !knowsSecret(headers, body, secret)) return null;
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw unreadable(error);
  }
  const parsed = wireDelivery.safeParse(value);
  if (!parsed.success) throw unreadable(parsed.error);
  const delivery: WebhookDelivery = {
    id: headerOf(headers, 'x-atlassian-webhook-identifier'),
    events: eventsOf(parsed.data),
  };
  return delivery;
};

/** The header that carries the secret of a webhook's address. */
export const SECRET_HEADER = 'x-winnow-webhook-secret';

function knowsSecret(headers: Headers, body: Buffer, secret: string): boolean {
  const signature = headerOf(headers, 'x-hub-signature');
  if (signature !== null) {
    return same(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  }
  const given = headerOf(headers, SECRET_HEADER);
  return given !== null && same(given, secret);
}

/** Compares in a time that tells nothing of where they differ. */
function same(left: string, right: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

type Headers = Parameters<ReadWebhook>[0]['headers'];

function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function unreadable(cause: unknown): TrackerError {
  return new TrackerError('malformed', 'Jira delivered an event that cannot be read.', { cause });
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

/** The time that the API, too, says of what is still there; it says it of nothing that was deleted. */
function updatedAt(type: TrackerEventType, { issue, comment }: WireDelivery): Date | null {
  if (type.endsWith('_deleted')) return null;
  return (type.startsWith('comment_') ? comment?.updated : issue?.fields?.updated) ?? null;
}

/** A change of status closes or reopens where it goes into a done status, or out of one. */
function typeOf({ webhookEvent, issue, changelog }: WireDelivery): TrackerEventType | null {
  const type = EVENTS[webhookEvent] ?? null;
  if (type !== 'issue_updated') return type;
  const items = changelog?.items ?? [];
  const status = issue?.fields?.status;
  if (!status || !items.some(({ field }) => field === 'status')) return type;
  // Which category the former status is of is not told; without a resolution to clear, leaving done looks like any move.
  if (isDone(status)) return 'issue_closed';
  const wasResolved = items.some(({ field, from, to }) => field === 'resolution' && from && !to);
  return wasResolved ? 'issue_reopened' : type;
}

/** Data Center names people by user name; Cloud has account ids only. */
function dialectOf({ user, comment }: WireDelivery): Dialect {
  const person = user ?? comment?.author;
  return person?.accountId ? cloudDialect : dataCenterDialect;
}
