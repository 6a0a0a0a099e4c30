import type { GitLabVisibility } from './seed.ts';

export interface User {
  id: number;
  username: string;
  name: string;
}

/** A group, or the personal namespace of a user. */
export interface Namespace {
  id: number;
  kind: 'group' | 'user';
  path: string;
  fullPath: string;
  name: string;
  fullName: string;
  parent: Namespace | null;
  visibility: GitLabVisibility;
  /** Access level of each member. */
  members: Map<User, number>;
}

export interface Hook {
  id: number;
  url: string;
  token: string | null;
  /**
   * Names of the flags that are on, such as `issues_events`. Each flag enables one type of event.
   */
  events: Set<string>;
  createdMs: number;
}

export interface Project {
  id: number;
  path: string;
  name: string;
  namespace: Namespace;
  visibility: GitLabVisibility;
  archived: boolean;
  issuesEnabled: boolean;
  mergeRequestsEnabled: boolean;
  members: Map<User, number>;
  labels: Map<string, { id: number; createdMs: number }>;
  items: Item[];
  hooks: Hook[];
  createdMs: number;
}

export type ItemKind = 'issue' | 'merge_request';

/** An issue or a merge request. */
export interface Item {
  id: number;
  iid: number;
  kind: ItemKind;
  project: Project;
  title: string;
  description: string | null;
  issueType: 'issue' | 'incident' | 'task';
  confidential: boolean;
  state: 'opened' | 'closed' | 'merged';
  author: User;
  assignees: User[];
  labels: string[];
  upvotes: number;
  /** Title of the item's milestone, or null. */
  milestone: string | null;
  discussionLocked: boolean;
  notes: Note[];
  createdMs: number;
  updatedMs: number;
  closedMs: number | null;
  closedBy: User | null;
  movedTo: Item | null;
  duplicatedTo: Item | null;
}

export interface Note {
  id: number;
  item: Item;
  author: User;
  body: string;
  system: boolean;
  internal: boolean;
  createdMs: number;
  updatedMs: number;
}

/**
 * A link between two issues. `blocks` means that the source blocks the target. The API shows it as
 * `is_blocked_by` in the links of the target.
 */
export interface IssueLink {
  id: number;
  source: Item;
  target: Item;
  type: 'relates_to' | 'blocks';
  createdMs: number;
}

export interface Token {
  id: number;
  token: string;
  user: User;
  scopes: string[];
  expiresAt: string | null;
}

export function fullPath(project: Project): string {
  return `${project.namespace.fullPath}/${project.path}`;
}

/**
 * Returns the full reference of an item. It is `group/project#12` for an issue and
 * `group/project!12` for a merge request.
 */
export function fullReference(item: Item): string {
  return `${fullPath(item.project)}${shortReference(item)}`;
}

export function shortReference(item: Item): string {
  return `${item.kind === 'issue' ? '#' : '!'}${item.iid}`;
}
