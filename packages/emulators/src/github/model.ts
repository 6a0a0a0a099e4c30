import type { OrderedView } from './ordered-view.ts';
import type { GitHubStateReason } from './seed.ts';

/**
 * A user or an organization. On GitHub, no user has the same login as an organization. All times in
 * this file are in milliseconds since 1970.
 */
export interface Account {
  id: number;
  login: string;
  kind: 'User' | 'Organization';
  name: string | null;
  email: string | null;
  description: string | null;
  /** Logins of an organization's members, in lower case. */
  members: Set<string>;
  createdMs: number;
}

export interface Label {
  id: number;
  name: string;
  color: string;
  description: string | null;
}

export interface IssueEvent {
  id: number;
  issue: Issue;
  actor: Account;
  event: string;
  createdMs: number;
  /** Additional fields of the event in responses, with GitHub's field names. */
  detail: {
    label?: Label;
    assignee?: Account;
    rename?: { from: string; to: string };
    state_reason?: GitHubStateReason | null;
  };
}

export interface Comment {
  id: number;
  issue: Issue;
  user: Account;
  body: string;
  createdMs: number;
  updatedMs: number;
}

export interface Issue {
  /** Id in the database, used in `duplicate_issue_id`. It is never equal to the issue's number. */
  id: number;
  repo: Repo;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: GitHubStateReason | null;
  duplicateOf: Issue | null;
  user: Account;
  labels: Label[];
  assignees: Account[];
  /**
   * Issues that block this one, and issues that this one blocks. They can be in other repositories.
   */
  blockedBy: Issue[];
  blocking: Issue[];
  /** Parent issue, and sub-issues. They can be in other repositories. */
  parent: Issue | null;
  subIssues: Issue[];
  locked: boolean;
  thumbsUp: number;
  /** Title of the issue's milestone, or null. */
  milestone: string | null;
  isPull: boolean;
  comments: Comment[];
  events: IssueEvent[];
  createdMs: number;
  updatedMs: number;
  closedMs: number | null;
  closedBy: Account | null;
  /** Time of the merge. Null for issues, and for pull requests that were not merged. */
  mergedMs: number | null;
}

/** A webhook of a repository. */
export interface Hook {
  id: number;
  url: string;
  secret: string | null;
  events: string[];
  active: boolean;
  createdMs: number;
}

export interface Repo {
  id: number;
  owner: Account;
  name: string;
  description: string | null;
  isPrivate: boolean;
  hasIssues: boolean;
  archived: boolean;
  createdMs: number;
  updatedMs: number;
  /** Labels by their names in lower case. */
  labels: Map<string, Label>;
  issues: OrderedView<Issue>;
  byNumber: Map<number, Issue>;
  deletedNumbers: Set<number>;
  /** Issues that were transferred to another repository, by their previous number in this one. */
  transferred: Map<number, Issue>;
  comments: OrderedView<Comment>;
  events: IssueEvent[];
  hooks: Hook[];
  nextNumber: number;
}

/** Returns `owner/name` with the original spelling. */
export function fullName(repo: Repo): string {
  return `${repo.owner.login}/${repo.name}`;
}
