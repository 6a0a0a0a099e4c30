import { z } from 'zod';
import type { ProviderComment, ProviderIssue, ProviderProject } from '../provider.ts';
import { cleanText, titleOf } from '../rest/read.ts';
import { type ItemKind, issueKey } from './api-paths.ts';

const time = z.string().transform((text, context) => {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
export const wireUser = z.object({ id: z.int(), username: z.string(), name: z.string().nullish() });

/**
 * Fields of an issue or merge request that Winnow reads. Other fields are ignored. A response may
 * lack many of these fields.
 */
export const wireItem = z.object({
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  author: wireUser.nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).nullish(),
  assignees: z.array(wireUser.nullable()).nullish(),
  user_notes_count: z.int().nullish(),
  upvotes: z.int().nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  discussion_locked: z.boolean().nullish(),
  issue_type: z.string().nullish(),
  moved_to_id: z.int().nullish(),
  web_url: z.string(),
  closed_at: time.nullish(),
  merged_at: time.nullish(),
  created_at: time,
  updated_at: time,
  references: z.object({ full: z.string() }).nullish(),
  _links: z.object({ closed_as_duplicate_of: z.string().nullish() }).nullish(),
});
export type WireItem = z.infer<typeof wireItem>;

/** Fields that a listing of ids needs. */
export const wireId = z.object({
  id: z.int(),
  iid: z.int(),
  moved_to_id: z.int().nullish(),
  created_at: time,
});

export const wireNote = z.object({
  id: z.int(),
  body: z.string().nullish(),
  author: wireUser.nullish(),
  system: z.boolean(),
  created_at: time,
  updated_at: time,
});
export type WireNote = z.infer<typeof wireNote>;

export const wireProject = z.object({
  id: z.int(),
  name: z.string(),
  path_with_namespace: z.string(),
  issues_enabled: z.boolean().nullish(),
  merge_requests_enabled: z.boolean().nullish(),
});
export type WireProject = z.infer<typeof wireProject>;

/** Project id and number of an issue, parsed from the end of an API URL. */
export interface WireOriginal {
  projectId: string;
  iid: string;
}

/**
 * Returns the original that this issue was closed as a duplicate of. Returns null if it is not a
 * duplicate, or if GitLab is older than 15.1 and does not report originals.
 */
export function originalOf({ _links }: WireItem): WireOriginal | null {
  const [, projectId, iid] =
    /\/projects\/(\d+)\/issues\/(\d+)$/.exec(_links?.closed_as_duplicate_of ?? '') ?? [];
  return projectId === undefined || iid === undefined ? null : { projectId, iid };
}

export function externalIdOf(kind: ItemKind, { iid }: { iid: number }): string {
  return kind === 'issues' ? String(iid) : `!${iid}`;
}

/** True if the issue was moved to another project. The old project still lists it, as closed. */
export function hasMoved({ moved_to_id }: Pick<WireItem, 'moved_to_id'>): boolean {
  return moved_to_id !== null && moved_to_id !== undefined;
}

/**
 * Converts an issue or merge request. `duplicateOf` is the key of the issue that `originalOf`
 * returned.
 */
export function toIssue(
  project: ProviderProject,
  kind: ItemKind,
  wire: WireItem,
  duplicateOf: string | null,
): ProviderIssue {
  const externalId = externalIdOf(kind, wire);
  const isOpen = !['closed', 'merged'].includes(wire.state);
  return {
    externalId,
    key: issueKey(project, externalId),
    title: cleanText(wire.title),
    description: cleanText(wire.description ?? ''),
    status: wire.state,
    state: isOpen ? 'opened' : 'closed',
    issueType: kind === 'merge_requests' ? 'change_request' : cleanText(wire.issue_type ?? 'issue'),
    priority: null,
    labels: (wire.labels ?? []).flatMap((label) => {
      const name = cleanText(typeof label === 'string' ? label : label.name);
      return name === '' ? [] : [name];
    }),
    assignees: (wire.assignees ?? []).flatMap((user) => (user === null ? [] : [user.username])),
    author: wire.author?.username ?? null,
    url: wire.web_url,
    parentKey: null,
    isDuplicate: duplicateOf !== null,
    duplicateOf,
    commentsCount: wire.user_notes_count ?? 0,
    reactions: wire.upvotes ?? 0,
    milestone: titleOf(wire.milestone),
    isLocked: wire.discussion_locked ?? false,
    // Always false, because GitLab records no reason for closing an issue.
    isCompleted: false,
    closedAt: isOpen ? null : (wire.closed_at ?? wire.merged_at ?? null),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

/** Converts a GitLab note to a comment of its issue. */
export function toComment(issueExternalId: string, wire: WireNote): ProviderComment {
  return {
    externalId: String(wire.id),
    issueExternalId,
    author: wire.author?.username ?? null,
    body: cleanText(wire.body ?? ''),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

export function toProject(wire: WireProject): ProviderProject {
  return { externalId: String(wire.id), identifier: wire.path_with_namespace, name: wire.name };
}
