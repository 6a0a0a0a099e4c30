import { isoSeconds } from '../http/clock.ts';
import type { Call, Reply, Route } from './call.ts';
import { GitHubError, notFound } from './github-error.ts';
import { editIssue } from './issue-changes.ts';
import { issueOf, queryChoice, repoOf } from './lookup.ts';
import { fullName, type Issue } from './model.ts';
import { page } from './pagination.ts';
import { nodeId, presentSimpleUser } from './present-account.ts';
import { presentComment, presentEvent, presentIssue, presentLabel, pullLinks } from './present-issue.ts';
import { presentRepo } from './present-repo.ts';

/** Returns the comments and events of an issue in chronological order. */
function timeline(call: Call): Reply {
  const issue = issueOf(call);
  const entries = [
    ...issue.events.map((event) => ({
      atMs: event.createdMs,
      id: event.id,
      show: () => presentEvent(event, call.links),
    })),
    ...issue.comments.map((comment) => ({
      atMs: comment.createdMs,
      id: comment.id,
      show: () => ({
        ...presentComment(comment, call.links),
        event: 'commented',
        actor: presentSimpleUser(comment.user, call.links),
      }),
    })),
  ];
  entries.sort((a, b) => a.atMs - b.atMs || a.id - b.id);
  return page(call, entries, (entry) => entry.show());
}

/**
 * Returns the head branch or base branch of a pull request. The emulator has no commits, so both
 * are the main branch.
 */
function branch(issue: Issue, call: Call) {
  return {
    label: `${issue.repo.owner.login}:main`,
    ref: 'main',
    sha: '0'.repeat(40),
    user: presentSimpleUser(issue.repo.owner, call.links),
    repo: presentRepo(issue.repo, call.access, call.links),
  };
}

function presentPull(issue: Issue, call: Call) {
  const links = pullLinks(issue, call.links);
  const repoUrl = `${call.links.api}/repos/${fullName(issue.repo)}`;
  const urls = {
    issue_url: `${repoUrl}/issues/${issue.number}`,
    commits_url: `${links.url}/commits`,
    review_comments_url: `${links.url}/comments`,
    review_comment_url: `${repoUrl}/pulls/comments{/number}`,
    comments_url: `${repoUrl}/issues/${issue.number}/comments`,
    statuses_url: `${repoUrl}/statuses/${'0'.repeat(40)}`,
  };
  const assignees = issue.assignees.map((person) => presentSimpleUser(person, call.links));
  return {
    ...links,
    ...urls,
    id: issue.id + 1,
    node_id: nodeId('PR', issue.id),
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: presentSimpleUser(issue.user, call.links),
    body: issue.body,
    labels: issue.labels.map((label) => presentLabel(label, issue.repo, call.links)),
    milestone: null,
    created_at: isoSeconds(issue.createdMs),
    updated_at: isoSeconds(issue.updatedMs),
    closed_at: issue.closedMs === null ? null : isoSeconds(issue.closedMs),
    merge_commit_sha: null,
    ...(call.withAssignee ? { assignee: assignees[0] ?? null } : {}),
    assignees,
    requested_reviewers: [],
    requested_teams: [],
    head: branch(issue, call),
    base: branch(issue, call),
    _links: {
      self: { href: links.url },
      html: { href: links.html_url },
      issue: { href: urls.issue_url },
      comments: { href: urls.comments_url },
      review_comments: { href: urls.review_comments_url },
      review_comment: { href: urls.review_comment_url },
      commits: { href: urls.commits_url },
      statuses: { href: urls.statuses_url },
    },
    author_association: 'NONE',
    auto_merge: null,
    draft: false,
  };
}

/** Lists pull requests. Supports only the parameters state, sort and direction. */
function listPulls(call: Call): Reply {
  const repo = repoOf(call);
  const state = queryChoice(call, 'state', ['open', 'closed', 'all'], 'open');
  const sort = queryChoice(call, 'sort', ['created', 'updated'], 'created');
  const descending = queryChoice(call, 'direction', ['asc', 'desc'], 'desc') === 'desc';
  const found = repo.issues
    .by(sort)
    .filter((issue) => issue.isPull && (state === 'all' || issue.state === state));
  if (descending) found.reverse();
  return page(call, found, (issue) => presentPull(issue, call));
}

/** Merges a pull request. Ignores the commit message and the merge method. */
function merge(call: Call): Reply {
  const issue = issueOf(call);
  if (!issue.isPull) throw notFound();
  if (!call.access.hasRole(issue.repo, 'write')) throw notFound();
  if (issue.state === 'closed') throw new GitHubError(405, 'Pull Request is not mergeable');
  const edit = { state: 'closed', merged: true } as const;
  editIssue(call.host.store, issue, call.access.person(), edit);
  return {
    status: 200,
    body: { sha: 'a'.repeat(40), merged: true, message: 'Pull Request successfully merged' },
  };
}

const read = { scopes: 'repo', permission: 'issues=read; pull_requests=read' };

/**
 * Routes of events, the timeline and pull requests. Other parts of pull requests are not emulated.
 */
export const historyRoutes: Route[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/issues/events',
    ...read,
    handle: (call) => {
      const repo = repoOf(call);
      call.access.requireIssuesRead(repo);
      return page(call, repo.events.toReversed(), (event) => ({
        ...presentEvent(event, call.links),
        issue: presentIssue(event.issue, call.links, call.withAssignee),
      }));
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:number/events',
    ...read,
    handle: (call) => page(call, issueOf(call).events, (event) => presentEvent(event, call.links)),
  },
  { method: 'GET', path: '/repos/:owner/:repo/issues/:number/timeline', ...read, handle: timeline },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/pulls',
    scopes: 'repo',
    permission: 'pull_requests=read',
    handle: listPulls,
  },
  {
    method: 'PUT',
    path: '/repos/:owner/:repo/pulls/:number/merge',
    scopes: 'repo',
    permission: 'contents=write',
    handle: merge,
  },
];
