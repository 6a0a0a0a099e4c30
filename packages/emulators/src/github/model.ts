import type { OrderedView } from './ordered-view.ts';
import type { GitHubStateReason } from './seed.ts';

/** A user or an organization; on GitHub they share one space of names. Times are milliseconds since 1970, everywhere here. */
export interface Account {
  id: number;
  login: string;
  kind: 'User' | 'Organization';
  name: string | null;
  email: string | null;
  description: string | null;
  /** logins in lower case, of an organization */
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
  /** what the event adds to the answer, already in GitHub's field names */
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
  /** the database id, which is what `duplicate_issue_id` wants; never equal to the number */
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
  /** the issues this one waits for, and those that wait for it, in any repository */
  blockedBy: Issue[];
  blocking: Issue[];
  /** the issue this one is a part of, in any repository, and the parts it has itself */
  parent: Issue | null;
  subIssues: Issue[];
  locked: boolean;
  isPull: boolean;
  comments: Comment[];
  events: IssueEvent[];
  createdMs: number;
  updatedMs: number;
  closedMs: number | null;
  closedBy: Account | null;
  /** of a pull request */
  mergedMs: number | null;
}

/** An address that is told what happens in a repository. */
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
  /** by name in lower case */
  labels: Map<string, Label>;
  issues: OrderedView<Issue>;
  byNumber: Map<number, Issue>;
  deletedNumbers: Set<number>;
  /** where the issues are that were transferred away, by the number they had here */
  transferred: Map<number, Issue>;
  comments: OrderedView<Comment>;
  events: IssueEvent[];
  hooks: Hook[];
  nextNumber: number;
}

/** `owner/name` as GitHub spells it. */
export function fullName(repo: Repo): string {
  return `${repo.owner.login}/${repo.name}`;
}
