/** Roles and their numbers in the API. */
export const accessLevels = {
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;
export type GitLabRole = keyof typeof accessLevels;
export type GitLabVisibility = 'private' | 'internal' | 'public';
/** Roles by username. */
export type GitLabMembers = Record<string, GitLabRole>;

interface GitLabSeedUser {
  username: string;
  /** default: the username */
  name?: string;
}

export interface GitLabSeedGroup {
  /** `acme` or `acme/team`; the parent group must be listed first */
  full_path: string;
  /** default: the last part of the path */
  name?: string;
  visibility?: GitLabVisibility;
  members?: GitLabMembers;
}

interface GitLabSeedNote {
  /** default: the project's first member, else the first user */
  author?: string;
  body: string;
  created_at?: string;
  updated_at?: string;
  /** true for a system note, such as "changed the description" */
  system?: boolean;
  /** true if only reporters and above may see it */
  internal?: boolean;
}

export interface GitLabSeedItem {
  /** default: the next */
  iid?: number;
  title: string;
  description?: string | null;
  author?: string;
  assignees?: string[];
  labels?: string[];
  /** `merged` is for merge requests only */
  state?: 'opened' | 'closed' | 'merged';
  created_at?: string;
  /** default: the newest time of the item and its notes */
  updated_at?: string;
  closed_at?: string;
  /** default: 0 */
  upvotes?: number;
  /** title of its milestone */
  milestone?: string;
  discussion_locked?: boolean;
  notes?: GitLabSeedNote[];
}

export interface GitLabSeedIssue extends GitLabSeedItem {
  /** default `issue` */
  issue_type?: 'issue' | 'incident' | 'task';
  confidential?: boolean;
}

export interface GitLabSeedProject {
  /** `acme/app`: a group of the seed or a username, then the project's path */
  path_with_namespace: string;
  /** default: the path */
  name?: string;
  /** default `private` */
  visibility?: GitLabVisibility;
  archived?: boolean;
  /** default true */
  issues_enabled?: boolean;
  /** default true */
  merge_requests_enabled?: boolean;
  members?: GitLabMembers;
  labels?: string[];
  issues: GitLabSeedIssue[];
  merge_requests?: GitLabSeedItem[];
}

export interface GitLabSeedToken {
  token: string;
  username: string;
  /** default `['api']` */
  scopes?: string[];
  /** a day such as `2026-01-31`; from that day on the token gets 401 */
  expires_at?: string;
}

/** Initial data of an emulated GitLab. */
export interface GitLabSeed {
  users: GitLabSeedUser[];
  groups?: GitLabSeedGroup[];
  projects: GitLabSeedProject[];
  tokens: GitLabSeedToken[];
}
