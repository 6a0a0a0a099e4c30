import { z } from 'zod';
import type { ProviderComment, ProviderIssue, ProviderProject } from '../provider.ts';
import { cleanText, titleOf } from '../rest/read.ts';

const time = z.string().transform((text, context) => {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
export const wireAccount = z.object({ login: z.string() });

/**
 * Fields of an issue or pull request that Winnow reads. Other fields are ignored. A response may
 * lack many of these fields.
 */
export const wireIssue = z.object({
  locked: z.boolean().nullish(),
  id: z.int(),
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  user: wireAccount.nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
  assignees: z.array(wireAccount).nullish(),
  assignee: wireAccount.nullish(),
  comments: z.int().nullish(),
  reactions: z.object({ total_count: z.int(), '-1': z.int().nullish() }).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
  type: z.object({ name: z.string() }).nullish(),
  parent_issue_url: z.string().nullish(),
  html_url: z.string(),
  closed_at: time.nullish(),
  created_at: time,
  updated_at: time,
});
export type WireIssue = z.infer<typeof wireIssue>;

export const wireComment = z.object({
  id: z.int(),
  issue_url: z.string(),
  user: wireAccount.nullish(),
  body: z.string().nullish(),
  created_at: time,
  updated_at: time,
});
export type WireComment = z.infer<typeof wireComment>;

export const wireRepository = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  disabled: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
  permissions: z.record(z.string(), z.boolean()).nullish(),
  owner: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
});
export type WireRepository = z.infer<typeof wireRepository>;

/**
 * Converts a GitHub issue. `externalId` is the issue number, because URLs and comments contain the
 * number and not the database id. For a duplicate, the REST API does not report the original issue.
 */
export function toIssue(project: ProviderProject, wire: WireIssue): ProviderIssue {
  const assignees = wire.assignees ?? (wire.assignee ? [wire.assignee] : []);
  return {
    externalId: String(wire.number),
    key: `${project.identifier}#${wire.number}`,
    title: cleanText(wire.title),
    description: cleanText(wire.body ?? ''),
    status: wire.pull_request?.merged_at ? 'merged' : wire.state,
    state: wire.state === 'open' ? 'opened' : 'closed',
    issueType: wire.pull_request ? 'change_request' : cleanText(wire.type?.name ?? 'issue'),
    priority: null,
    labels: (wire.labels ?? []).flatMap((label) => {
      const name = cleanText(typeof label === 'string' ? label : (label.name ?? ''));
      return name === '' ? [] : [name];
    }),
    assignees: assignees.map(({ login }) => login),
    author: wire.user?.login ?? null,
    url: wire.html_url,
    parentKey: keyOfIssueUrl(wire.parent_issue_url ?? ''),
    isDuplicate: wire.state === 'closed' && wire.state_reason === 'duplicate',
    duplicateOf: null,
    commentsCount: wire.comments ?? 0,
    reactions: wire.reactions ? wire.reactions.total_count - (wire.reactions['-1'] ?? 0) : 0,
    milestone: titleOf(wire.milestone),
    isLocked: wire.locked ?? false,
    isCompleted: wire.state === 'closed' && wire.state_reason === 'completed',
    closedAt: wire.closed_at ?? null,
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

/** Converts a GitHub comment. Returns null if the comment does not name its issue. */
export function toComment(wire: WireComment): ProviderComment | null {
  const number = /\/issues\/(\d+)$/.exec(wire.issue_url)?.[1];
  if (number === undefined) return null;
  return {
    externalId: String(wire.id),
    issueExternalId: number,
    author: wire.user?.login ?? null,
    body: cleanText(wire.body ?? ''),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

/**
 * Converts a repository. Returns null if its issues cannot be edited: the repository is archived or
 * disabled, or its issues are turned off.
 */
export function toProject(wire: WireRepository): ProviderProject | null {
  return wire.archived || wire.disabled || wire.has_issues === false ? null : projectOf(wire);
}

/** Converts a repository, even if it is archived, disabled or without issues. */
export function projectOf(wire: WireRepository): ProviderProject {
  return { externalId: String(wire.id), identifier: wire.full_name, name: wire.name };
}

/** Returns the key `owner/repo#12` for the API URL of an issue. Returns null for other URLs. */
export function keyOfIssueUrl(url: string): string | null {
  const match = /\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)$/.exec(url);
  return match === null ? null : `${match[1]}#${match[2]}`;
}
