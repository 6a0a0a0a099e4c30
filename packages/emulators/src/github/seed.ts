/** Roles in a repository, in ascending order of permissions. GitHub uses the same names. */
export type GitHubPermission = 'read' | 'triage' | 'write' | 'admin';

/**
 * Reason why an issue is in its state. `reopened` belongs to open issues, and the other values to
 * closed ones.
 */
export type GitHubStateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

interface GitHubSeedComment {
  user: string;
  body: string;
  /** ISO 8601. Default: the time when the issue was created. */
  created_at?: string;
}

/**
 * Initial data of an issue. Unknown logins and labels are created. Sizes are not limited: a body of
 * 1 MB or 10,000 labels are possible, although the API would reject them.
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
  /** ISO 8601. Default: the current time of the emulator. */
  created_at?: string;
  /** ISO 8601. Default: the time of the last comment, or else of the creation. */
  updated_at?: string;
  /** Login of the author. Default: the first seeded user. */
  user?: string;
  labels?: string[];
  assignees?: string[];
  locked?: boolean;
  /** Number of “+1” reactions. Default: 0. */
  thumbs_up?: number;
  /** Title of the issue's milestone. */
  milestone?: string;
  comments?: GitHubSeedComment[];
  pull_request?: boolean;
}

export interface GitHubSeedRepo {
  owner: string;
  name: string;
  description?: string;
  private?: boolean;
  /** True if issues are enabled in the repository. Default: true. */
  has_issues?: boolean;
  archived?: boolean;
  /** Labels that exist in the repository without being used by a seeded issue. */
  labels?: (string | { name: string; color?: string; description?: string | null })[];
  issues: GitHubSeedIssue[];
}

export interface GitHubSeedRepoGrant {
  full_name: string;
  /** Role of the user. The repository's `permissions` show it. */
  permission: GitHubPermission;
  /**
   * Permission of a fine-grained token for issues. It may be less than that of the user. Default:
   * `read` if the role is `read`, otherwise `write`. Ignored for classic tokens.
   */
  issues?: 'none' | 'read' | 'write';
  /** Permission of a fine-grained token for the repository's webhooks. Default: none. */
  hooks?: 'write';
}

/**
 * An access token. If it starts with `github_pat_`, it is fine-grained, with permissions instead of
 * scopes. Any other token is classic.
 */
export interface GitHubSeedToken {
  token: string;
  login: string;
  /** Scopes of a classic token. Default: `repo`, `read:org`. */
  scopes?: string[];
  /**
   * Repositories that the token can access. The default `all` makes it an administrator of every
   * repository. With a list, other public repositories are readable, and other private ones are
   * invisible.
   */
  repos?: 'all' | GitHubSeedRepoGrant[];
}

export interface GitHubSeed {
  users?: { login: string; name?: string; email?: string }[];
  orgs?: { login: string; name?: string; description?: string; members?: string[] }[];
  repos: GitHubSeedRepo[];
  tokens: GitHubSeedToken[];
}
