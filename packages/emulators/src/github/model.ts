import type { OrderedView } from './ordered-view.ts';
import type { GitHubStateReason } from './seed.ts';

/**
 * A user or an organization. On GitHub, they share one set of names. All times in this file are
 * milliseconds since 1970.
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
  /** Additional properties of the event's response, with GitHub's field names. */
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
  /** Database id, as in `duplicate_issue_id`. It never equals the issue's number. */
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
  /** Issues in any repository that block this one, and issues that this one blocks. */
  blockedBy: Issue[];
  blocking: Issue[];
  /** Parent issue and sub-issues. They can be in any repository. */
  parent: Issue | null;
  subIssues: Issue[];
  locked: boolean;
  thumbsUp: number;
  /** Title of its milestone. */
  milestone: string | null;
  isPull: boolean;
  comments: Comment[];
  events: IssueEvent[];
  createdMs: number;
  updatedMs: number;
  closedMs: number | null;
  closedBy: Account | null;
  /** Time of the merge. Null unless it is a merged pull request. */
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
  /** Labels by name in lower case. */
  labels: Map<string, Label>;
  issues: OrderedView<Issue>;
  byNumber: Map<number, Issue>;
  deletedNumbers: Set<number>;
  /** Issues transferred to another repository, by the number that they had here. */
  transferred: Map<number, Issue>;
  comments: OrderedView<Comment>;
  events: IssueEvent[];
  hooks: Hook[];
  nextNumber: number;
}

/** Returns `owner/name` in GitHub's spelling. */
export function fullName(repo: Repo): string {
  return `${repo.owner.login}/${repo.name}`;
}
