import type { Call, Reply, Route } from './call.ts';
import { notFound, validationFailed } from './github-error.ts';
import { block, unblock } from './issue-changes.ts';
import { optionalInteger } from './json-body.ts';
import { issueById, issueOf } from './lookup.ts';
import type { Issue } from './model.ts';
import { page } from './pagination.ts';
import { presentIssue } from './present-issue.ts';

function present(call: Call, issue: Issue): unknown {
  return presentIssue(issue, call.links, call.withAssignee);
}

function blocked(call: Call): Issue {
  if (!call.host.dependencies) throw notFound();
  return issueOf(call);
}

function writable(call: Call): Issue {
  const issue = blocked(call);
  call.access.requireIssuesWrite(issue.repo);
  if (!call.access.hasRole(issue.repo, 'triage')) throw notFound();
  return issue;
}

function add(call: Call): Reply {
  const issue = writable(call);
  const id = optionalInteger(call.body, 'issue_id');
  const refuse = (message: string) =>
    validationFailed({ resource: 'IssueDependency', code: 'custom', field: 'issue_id', message });
  if (id === undefined) throw refuse('issue_id is missing');
  const blocker = issueById(call, id);
  if (blocker === issue) throw refuse('An issue cannot block itself');
  if (issue.blockedBy.includes(blocker)) throw refuse('The dependency already exists');
  block(call.host.store, issue, blocker, call.access.person());
  return { status: 201, body: present(call, issue) };
}

function remove(call: Call): Reply {
  const issue = writable(call);
  const blocker = issueById(call, Number(call.params.blocker));
  if (!issue.blockedBy.includes(blocker)) throw notFound();
  unblock(call.host.store, issue, blocker, call.access.person());
  return { status: 200, body: present(call, issue) };
}

const write = { scopes: 'repo', permission: 'issues=write' };
const read = { scopes: 'repo', permission: 'issues=read' };
const dependencies = '/repos/:owner/:repo/issues/:number/dependencies';

/** Routes of dependencies: the issues that block an issue, and the issues that it blocks. */
export const dependencyRoutes: Route[] = [
  {
    method: 'GET',
    path: `${dependencies}/blocked_by`,
    ...read,
    handle: (call) => page(call, blocked(call).blockedBy, (issue) => present(call, issue)),
  },
  {
    method: 'GET',
    path: `${dependencies}/blocking`,
    ...read,
    handle: (call) => page(call, blocked(call).blocking, (issue) => present(call, issue)),
  },
  { method: 'POST', path: `${dependencies}/blocked_by`, ...write, handle: add },
  { method: 'DELETE', path: `${dependencies}/blocked_by/:blocker`, ...write, handle: remove },
];
