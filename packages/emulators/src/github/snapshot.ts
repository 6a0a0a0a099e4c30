import { isoSeconds } from '../http/clock.ts';
import { fullName, type Issue } from './model.ts';
import type { Store } from './store.ts';

/**
 * State of an issue for assertions in tests. Includes data that GitHub's REST API does not return.
 */
export interface IssueSnapshot {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  state_reason: string | null;
  /**
   * Original of this issue if it was closed as a duplicate, as `owner/name#number`; otherwise null.
   */
  duplicate_of: string | null;
  /** Issues that block this one, each as `owner/name#number`. */
  blocked_by: string[];
  user: string;
  labels: string[];
  assignees: string[];
  pull_request: boolean;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  closed_by: string | null;
  comments: { id: number; user: string; body: string; created_at: string; updated_at: string }[];
  events: string[];
}

export interface GitHubState {
  repos: { full_name: string; private: boolean; has_issues: boolean; issues: IssueSnapshot[] }[];
}

export function snapshotIssue(issue: Issue): IssueSnapshot {
  return {
    id: issue.id,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.stateReason,
    duplicate_of: issue.duplicateOf
      ? `${fullName(issue.duplicateOf.repo)}#${issue.duplicateOf.number}`
      : null,
    blocked_by: issue.blockedBy.map(({ repo, number }) => `${fullName(repo)}#${number}`),
    user: issue.user.login,
    labels: issue.labels.map((label) => label.name),
    assignees: issue.assignees.map((person) => person.login),
    pull_request: issue.isPull,
    created_at: isoSeconds(issue.createdMs),
    updated_at: isoSeconds(issue.updatedMs),
    closed_at: issue.closedMs === null ? null : isoSeconds(issue.closedMs),
    closed_by: issue.closedBy?.login ?? null,
    comments: issue.comments.map((comment) => ({
      id: comment.id,
      user: comment.user.login,
      body: comment.body,
      created_at: isoSeconds(comment.createdMs),
      updated_at: isoSeconds(comment.updatedMs),
    })),
    events: issue.events.map((event) => event.event),
  };
}

/** Returns the state of all repositories, or of one. Excludes tokens. */
export function snapshotState(store: Store, repoName?: string): GitHubState {
  const wanted = store.repos.filter(
    (repo) => repoName === undefined || fullName(repo).toLowerCase() === repoName.toLowerCase(),
  );
  return {
    repos: wanted.map((repo) => ({
      full_name: fullName(repo),
      private: repo.isPrivate,
      has_issues: repo.hasIssues,
      issues: repo.issues.all().map(snapshotIssue),
    })),
  };
}
