import { z } from 'zod';
import type { ProviderComment, ProviderIssue, ProviderProject } from '../provider.ts';
import { cleanText } from '../rest/read.ts';
import { type ItemKind, keyOf } from './place.ts';

const time = z.string().transform((text, context) => {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
export const wireUser = z.object({ id: z.int(), username: z.string(), name: z.string().nullish() });

/** What we read of an issue or a merge request; all else GitLab sends is ignored, and much may be missing. */
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

/** What the ids of a listing are read from. */
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

/** An issue by the id of its project and its number, as it stands at the end of an API address. */
export interface WireOriginal {
  projectId: string;
  iid: string;
}

/** Which issue this one was closed as a duplicate of; null for none, and where GitLab does not tell (before 15.1). */
export function originalOf({ _links }: WireItem): WireOriginal | null {
  const [, projectId, iid] =
    /\/projects\/(\d+)\/issues\/(\d+)$/.exec(_links?.closed_as_duplicate_of ?? '') ?? [];
  return projectId === undefined || iid === undefined ? null : { projectId, iid };
}

export function externalIdOf(kind: ItemKind, { iid }: { iid: number }): string {
  return kind === 'issues' ? String(iid) : `!${iid}`;
}

/** Whether an issue was moved to another project, where it is now; what stays behind is closed and listed all the same. */
export function hasMoved({ moved_to_id }: Pick<WireItem, 'moved_to_id'>): boolean {
  return moved_to_id !== null && moved_to_id !== undefined;
}

/** An issue or a merge request in our terms. `duplicateOf` is the key of what `originalOf` names. */
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
    key: keyOf(project, externalId),
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
    closedAt: isOpen ? null : (wire.closed_at ?? wire.merged_at ?? null),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

/** A note in our terms. */
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
