/** Roles and their numbers in GitLab's API. */
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
/** Role of each member, by user name. */
export type GitLabMembers = Record<string, GitLabRole>;

interface GitLabSeedUser {
  username: string;
  /** Display name. Default: the user name. */
  name?: string;
}

export interface GitLabSeedGroup {
  /** Path of the group, such as `acme` or `acme/team`. The parent group must be listed first. */
  full_path: string;
  /** Display name. Default: the last part of the path. */
  name?: string;
  visibility?: GitLabVisibility;
  members?: GitLabMembers;
}

interface GitLabSeedNote {
  /** User name of the author. Default: the author of the item. */
  author?: string;
  body: string;
  created_at?: string;
  updated_at?: string;
  /** True for a system note, such as "changed the description". */
  system?: boolean;
  /** True if only users with at least the reporter role can see the note. */
  internal?: boolean;
}

export interface GitLabSeedItem {
  /** Number within the project. Default: the next unused number. */
  iid?: number;
  title: string;
  description?: string | null;
  author?: string;
  assignees?: string[];
  labels?: string[];
  /** `merged` is only valid for merge requests. */
  state?: 'opened' | 'closed' | 'merged';
  created_at?: string;
  /** Default: the latest time of the item or of one of its notes. */
  updated_at?: string;
  closed_at?: string;
  /** Default: 0. */
  upvotes?: number;
  /** Title of the item's milestone. */
  milestone?: string;
  discussion_locked?: boolean;
  notes?: GitLabSeedNote[];
}

export interface GitLabSeedIssue extends GitLabSeedItem {
  /** Default: `issue`. */
  issue_type?: 'issue' | 'incident' | 'task';
  confidential?: boolean;
}

export interface GitLabSeedProject {
  /** Full path, such as `acme/app`. It starts with the path of a seeded group or a user name. */
  path_with_namespace: string;
  /** Display name. Default: the path. */
  name?: string;
  /** Default: `private`. */
  visibility?: GitLabVisibility;
  archived?: boolean;
  /** Default: true. */
  issues_enabled?: boolean;
  /** Default: true. */
  merge_requests_enabled?: boolean;
  members?: GitLabMembers;
  labels?: string[];
  issues: GitLabSeedIssue[];
  merge_requests?: GitLabSeedItem[];
}

export interface GitLabSeedToken {
  token: string;
  username: string;
  /** Default: `['api']`. */
  scopes?: string[];
  /** A date such as `2026-01-31`. From this date on, requests with the token get 401. */
  expires_at?: string;
}

/** Initial data of the GitLab emulator. */
export interface GitLabSeed {
  users: GitLabSeedUser[];
  groups?: GitLabSeedGroup[];
  projects: GitLabSeedProject[];
  tokens: GitLabSeedToken[];
}
