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
 * Initial state of an issue. Unknown logins and labels are created. Sizes are not limited: a body
 * of 1 MB or 10,000 labels are possible, although the API would refuse them.
 */
export interface GitHubSeedIssue {
  /** default: the next free number of the repository */
  number?: number;
  title: string;
  body: string | null;
  /** default: open */
  state?: 'open' | 'closed';
  /** default: `completed` for a closed issue, null for an open one */
  state_reason?: GitHubStateReason | null;
  /** ISO 8601; default: the emulator's clock */
  created_at?: string;
  /** ISO 8601; default: the latest of the creation and the comments */
  updated_at?: string;
  /** login of the author; default: the first seeded user */
  user?: string;
  labels?: string[];
  assignees?: string[];
  locked?: boolean;
  /** number of “+1” reactions; default: 0 */
  thumbs_up?: number;
  /** title of its milestone */
  milestone?: string;
  comments?: GitHubSeedComment[];
  pull_request?: boolean;
}

export interface GitHubSeedRepo {
  owner: string;
  name: string;
  description?: string;
  private?: boolean;
  /** default: true */
  has_issues?: boolean;
  archived?: boolean;
  /** labels that exist without being on an issue */
  labels?: (string | { name: string; color?: string; description?: string | null })[];
  issues: GitHubSeedIssue[];
}

export interface GitHubSeedRepoGrant {
  full_name: string;
  /** role of the user, as shown in the repository's `permissions` */
  permission: GitHubPermission;
  /**
   * Access of a fine-grained token to issues, which may be less than that of the user. Default:
   * `read` for the role `read`, otherwise `write`. Classic tokens ignore it.
   */
  issues?: 'none' | 'read' | 'write';
  /** access of a fine-grained token to the repository's webhooks; default: none */
  hooks?: 'write';
}

/**
 * A token. The prefix `github_pat_` makes it fine-grained: it has grants and no scopes. Any other
 * token is classic.
 */
export interface GitHubSeedToken {
  token: string;
  login: string;
  /** classic tokens only; default: `repo`, `read:org` */
  scopes?: string[];
  /**
   * Default `all`: administrator of every repository. With a list, other public repositories can be
   * read, and other private ones are invisible.
   */
  repos?: 'all' | GitHubSeedRepoGrant[];
}

export interface GitHubSeed {
  users?: { login: string; name?: string; email?: string }[];
  orgs?: { login: string; name?: string; description?: string; members?: string[] }[];
  repos: GitHubSeedRepo[];
  tokens: GitHubSeedToken[];
}
