import type { Call, Reply, Route } from './call.ts';
import { forbidden, validationFailed } from './github-error.ts';
import { addComment, deleteComment, editComment } from './issue-changes.ts';
import { requiredText } from './json-body.ts';
import { commentOf, issueOf, queryChoice, querySinceMs, repoOf, requireShort } from './lookup.ts';
import type { Comment } from './model.ts';
import { page } from './pagination.ts';
import { presentComment } from './present-issue.ts';

function readBody(call: Call): string {
  const body = requiredText(call.body, 'body');
  if (body.trim() === '') {
    const message = 'Body cannot be blank';
    throw validationFailed({ resource: 'IssueComment', code: 'unprocessable', field: 'data', message });
  }
  requireShort(body, 'IssueComment');
  return body;
}

/** Lists the comments of an issue, oldest first. GitHub supports no other order here. */
function listOfIssue(call: Call): Reply {
  const issue = issueOf(call);
  const sinceMs = querySinceMs(call);
  const found = issue.comments.filter((comment) => comment.updatedMs >= sinceMs);
  return page(call, found, (comment) => presentComment(comment, call.links));
}

/**
 * Lists the comments of all issues and pull requests of a repository. `direction` is ignored
 * without `sort`, as on GitHub.
 */
function listOfRepo(call: Call): Reply {
  const repo = repoOf(call);
  call.access.requireIssuesRead(repo);
  const sinceMs = querySinceMs(call);
  const sort = queryChoice(call, 'sort', ['created', 'updated'], 'created');
  const direction = queryChoice(call, 'direction', ['asc', 'desc'], call.query.has('sort') ? 'desc' : 'asc');
  const found = repo.comments.by(sort).filter((comment) => comment.updatedMs >= sinceMs);
  if (call.query.has('sort') && direction === 'desc') found.reverse();
  return page(call, found, (comment) => presentComment(comment, call.links));
}

function create(call: Call): Reply {
  const issue = issueOf(call);
  const person = call.access.requireIssuesWrite(issue.repo);
  const body = readBody(call);
  if (issue.locked && !call.access.hasRole(issue.repo, 'write')) {
    throw forbidden('Unable to create comment because issue is locked.');
  }
  const shown = presentComment(addComment(call.host.store, issue, person, body), call.links);
  return { status: 201, body: shown, headers: { location: shown.url } };
}

/**
 * Returns the comment that the path names. Throws unless the caller is its author or has the write
 * role.
 */
function writableComment(call: Call): Comment {
  const comment = commentOf(call);
  const person = call.access.requireIssuesWrite(comment.issue.repo);
  if (comment.user !== person && !call.access.hasRole(comment.issue.repo, 'write')) {
    throw forbidden('Must have admin rights to Repository.');
  }
  return comment;
}

const write = { scopes: 'repo', permission: 'issues=write; pull_requests=write' };
const read = { scopes: 'repo', permission: 'issues=read; pull_requests=read' };
const one = '/repos/:owner/:repo/issues/comments/:id';

/**
 * Routes of comments. They must precede the routes of issues, because `comments` would match an
 * issue number.
 */
export const commentRoutes: Route[] = [
  { method: 'GET', path: '/repos/:owner/:repo/issues/comments', ...read, handle: listOfRepo },
  {
    method: 'GET',
    path: one,
    ...read,
    handle: (call) => ({ status: 200, body: presentComment(commentOf(call), call.links) }),
  },
  {
    method: 'PATCH',
    path: one,
    ...write,
    handle: (call) => {
      const comment = writableComment(call);
      editComment(call.host.store, comment, call.access.person(), readBody(call));
      return { status: 200, body: presentComment(comment, call.links) };
    },
  },
  {
    method: 'DELETE',
    path: one,
    ...write,
    handle: (call) => {
      deleteComment(call.host.store, writableComment(call), call.access.person());
      return { status: 204 };
    },
  },
  { method: 'GET', path: '/repos/:owner/:repo/issues/:number/comments', ...read, handle: listOfIssue },
  { method: 'POST', path: '/repos/:owner/:repo/issues/:number/comments', ...write, handle: create },
];
