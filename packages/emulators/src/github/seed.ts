/** Roles on a repository, from least to most access, with GitHub's names. */
export type GitHubPermission = 'read' | 'triage' | 'write' | 'admin';

/** Reason for the state of an issue. `duplicate` implies closed, `reopened` implies open. */
export type GitHubStateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

interface GitHubSeedComment {
  user: string;
  body: string;
  /** ISO 8601; default: the issue's creation time */
  created_at?: string;
}

/**
 * Initial state of an issue. Unknown logins and labels are created. Sizes are not limited: a seed
 * can have a body of 1 MB or 10,000 labels, which the API would refuse.
 */
export interface GitHubSeedIssue {
  /** Default: the next free number of the repository. */
  number?: number;
  title: string;
  body: string | null;
  /** Default: open. */
  state?: 'open' | 'closed';
  /** Default: `completed` for a closed issue, null for an open one. */
  state_reason?: GitHubStateReason | null;
  /** ISO 8601; default: the emulator's clock */
  created_at?: string;
  /** ISO 8601; default: the latest of the creation and the comments */
  updated_at?: string;
  /** Login of the author. Default: the first seeded user. */
  user?: string;
  labels?: string[];
  assignees?: string[];
  locked?: boolean;
  /** Number of “+1” reactions. Default: 0. */
  thumbs_up?: number;
  /** Title of its milestone. */
  milestone?: string;
  comments?: GitHubSeedComment[];
  pull_request?: boolean;
}

export interface GitHubSeedRepo {
  owner: string;
  name: string;
  description?: string;
  private?: boolean;
  /** True if the repository has issues. Default: true. */
  has_issues?: boolean;
  archived?: boolean;
  /** Labels of the repository that no issue has. */
  labels?: (string | { name: string; color?: string; description?: string | null })[];
  issues: GitHubSeedIssue[];
}

export interface GitHubSeedRepoGrant {
  full_name: string;
  /** Role of the user, which the repository's `permissions` return. */
  permission: GitHubPermission;
  /**
   * Access of a fine-grained token to issues, which may be less than that of the user. Default:
   * `read` if the role is `read`, otherwise `write`. Has no effect on classic tokens.
   */
  issues?: 'none' | 'read' | 'write';
  /** Access of a fine-grained token to the repository's webhooks. Default: none. */
  hooks?: 'write';
}

/**
 * A token. With the prefix `github_pat_` it is fine-grained: it has grants and no scopes. Any other
 * token is classic.
 */
export interface GitHubSeedToken {
  token: string;
  login: string;
  /** Scopes of a classic token. Default: `repo`, `read:org`. */
  scopes?: string[];
  /**
   * Access to repositories. Default `all`: administrator of every repository. With a list, other
   * public repositories can still be read, and other private ones are invisible.
   */
  repos?: 'all' | GitHubSeedRepoGrant[];
}

export interface GitHubSeed {
  users?: { login: string; name?: string; email?: string }[];
  orgs?: { login: string; name?: string; description?: string; members?: string[] }[];
  repos: GitHubSeedRepo[];
  tokens: GitHubSeedToken[];
}
