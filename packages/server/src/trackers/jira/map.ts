import { z } from 'zod';
import type { LinkKind, ProviderComment, ProviderIssue, ProviderLink, ProviderProject } from '../provider.ts';
import { cleanText, titleOf } from '../rest/read.ts';
import { type Dialect, type WireUser, wireUser } from './dialect.ts';

/** Parses `2024-05-01T12:00:00.000+0200`. ISO 8601 would require a colon in the zone offset. */
export const time = z.string().transform((text, context) => {
  const date = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (!Number.isNaN(date.getTime())) return date;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});

const named = z.object({ name: z.string() });
const wireEnd = z.object({ id: z.string(), key: z.string() });
export const wireStatus = z.object({
  id: z.string(),
  name: z.string(),
  statusCategory: z.object({ key: z.string() }).nullish(),
});
export type WireStatus = z.infer<typeof wireStatus>;

export const wireLinkType = z.object({
  id: z.string().nullish(),
  name: z.string(),
  inward: z.string(),
  outward: z.string(),
});
export type WireLinkType = z.infer<typeof wireLinkType>;

const wireLink = z.object({
  id: z.string(),
  type: wireLinkType,
  inwardIssue: wireEnd.nullish(),
  outwardIssue: wireEnd.nullish(),
});
export type WireLink = z.infer<typeof wireLink>;

export const wireComment = z.object({
  id: z.string(),
  author: wireUser.nullish(),
  body: z.unknown(),
  created: time,
  updated: time,
  properties: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
});
export type WireComment = z.infer<typeof wireComment>;

/** Fields that Winnow requests. A response may lack many of them. */
export const ISSUE_FIELDS = [
  'summary',
  'description',
  'issuetype',
  'project',
  'status',
  'resolution',
  'resolutiondate',
  'statuscategorychangedate',
  'priority',
  'labels',
  'assignee',
  'reporter',
  'creator',
  'parent',
  'issuelinks',
  'comment',
  'votes',
  'fixVersions',
  'created',
  'updated',
];

export const wireIssue = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string().nullish(),
    description: z.unknown(),
    issuetype: named.nullish(),
    project: z.object({ id: z.string() }),
    status: wireStatus,
    resolution: named.nullish(),
    resolutiondate: time.nullish(),
    statuscategorychangedate: time.nullish(),
    priority: named.nullish(),
    labels: z.array(z.string()).nullish(),
    assignee: wireUser.nullish(),
    reporter: wireUser.nullish(),
    creator: wireUser.nullish(),
    parent: z.object({ key: z.string() }).nullish(),
    issuelinks: z.array(wireLink).nullish(),
    comment: z.object({ total: z.int().nullish() }).nullish(),
    votes: z.object({ votes: z.int() }).nullish(),
    fixVersions: z.array(named).nullish(),
    created: time,
    updated: time,
  }),
});
export type WireIssue = z.infer<typeof wireIssue>;

export const wireProject = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  archived: z.boolean().nullish(),
});

/** Names of the resolutions that mean completed work. */
export const COMPLETED_RESOLUTION = /^(?:done|fixed|resolved|completed?)$/i;

export function isDone(status: WireStatus): boolean {
  return status.statusCategory?.key === 'done';
}

/**
 * Converts a Jira issue. `externalId` is the id of the issue, which stays the same when the issue
 * moves to another project. The key changes then.
 */
export function toIssue(siteUrl: string, dialect: Dialect, wire: WireIssue): ProviderIssue {
  const { fields } = wire;
  const closed = isDone(fields.status);
  const author = fields.reporter ?? fields.creator;
  const duplicateOf = closed
    ? (linksOf(fields.issuelinks).find(({ kind }) => kind === 'duplicates')?.key ?? null)
    : null;
  return {
    externalId: wire.id,
    key: wire.key,
    title: cleanText(fields.summary ?? ''),
    description: cleanText(dialect.readText(fields.description)),
    status: cleanText(fields.status.name),
    state: closed ? 'closed' : 'opened',
    issueType: cleanText(fields.issuetype?.name ?? 'issue'),
    priority: fields.priority?.name ?? null,
    labels: (fields.labels ?? []).map(cleanText),
    assignees: fields.assignee ? [loginOf(dialect, fields.assignee)] : [],
    author: author ? loginOf(dialect, author) : null,
    url: `${siteUrl}/browse/${wire.key}`,
    parentKey: fields.parent?.key ?? null,
    isDuplicate: closed && (duplicateOf !== null || /duplicate/i.test(fields.resolution?.name ?? '')),
    duplicateOf,
    commentsCount: fields.comment?.total ?? 0,
    reactions: fields.votes?.votes ?? 0,
    milestone: titleOf({ title: fields.fixVersions?.[0]?.name }),
    isLocked: false,
    isCompleted: closed && COMPLETED_RESOLUTION.test(fields.resolution?.name ?? ''),
    closedAt: closed ? (fields.resolutiondate ?? fields.statuscategorychangedate ?? null) : null,
    createdAt: fields.created,
    updatedAt: fields.updated,
  };
}

export function loginOf(dialect: Dialect, user: WireUser): string {
  return cleanText(dialect.loginOf(user));
}

export function toComment(dialect: Dialect, issueExternalId: string, wire: WireComment): ProviderComment {
  return {
    externalId: wire.id,
    issueExternalId,
    author: wire.author ? loginOf(dialect, wire.author) : null,
    body: cleanText(dialect.readText(wire.body)),
    createdAt: wire.created,
    updatedAt: wire.updated,
  };
}

/** Converts a Jira project. Returns null if it is archived. */
export function toProject(wire: z.infer<typeof wireProject>): ProviderProject | null {
  return wire.archived ? null : projectOf(wire);
}

/** Converts a Jira project, even if it is archived. */
export function projectOf(wire: z.infer<typeof wireProject>): ProviderProject {
  return { externalId: wire.id, identifier: wire.key, name: cleanText(wire.name) };
}

/** Converts an issue's links. Each relation is stated as seen from this issue. */
export function linksOf(links: readonly WireLink[] | null | undefined): ProviderLink[] {
  return (links ?? []).flatMap((link): ProviderLink[] => {
    const other = link.outwardIssue ?? link.inwardIssue;
    if (!other) return [];
    return [{ kind: kindOf(link.type, link.outwardIssue ? 'outward' : 'inward'), key: other.key }];
  });
}

const LINK_PHRASES: readonly [RegExp, LinkKind][] = [
  [/^blocks$/i, 'blocks'],
  [/^is blocked by$/i, 'blocked_by'],
  [/^duplicates$/i, 'duplicates'],
  [/^is duplicated by$/i, 'duplicated_by'],
];

/**
 * Returns the relation of an issue to the issue at the other end of a link.
 *
 * The description on the issue's side of the link decides, such as "is blocked by". An
 * administrator may have swapped the two descriptions of a type. If the descriptions are in another
 * language, the name of the type decides.
 */
export function kindOf(type: WireLinkType, side: 'outward' | 'inward'): LinkKind {
  const said = LINK_PHRASES.find(([phrase]) => phrase.test(type[side].trim()))?.[1];
  if (said !== undefined) return said;
  if (/^blocks?$/i.test(type.name)) return side === 'outward' ? 'blocks' : 'blocked_by';
  if (/^duplicates?$/i.test(type.name)) return side === 'outward' ? 'duplicates' : 'duplicated_by';
  return 'related';
}
