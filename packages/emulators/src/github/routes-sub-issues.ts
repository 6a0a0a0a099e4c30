import type { Call, Reply, Route } from './call.ts';
import { notFound, validationFailed } from './github-error.ts';
import { addSubIssue, removeSubIssue } from './issue-changes.ts';
import { optionalInteger } from './json-body.ts';
import { issueById, issueOf } from './lookup.ts';
import type { Issue } from './model.ts';
import { page } from './pagination.ts';
import { presentIssue } from './present-issue.ts';

function present(call: Call, issue: Issue): unknown {
  return presentIssue(issue, call.links, call.withAssignee);
}

function writable(call: Call): Issue {
  const issue = issueOf(call);
  call.access.requireIssuesWrite(issue.repo);
  if (!call.access.hasRole(issue.repo, 'triage')) throw notFound();
  return issue;
}

function refused(message: string) {
  return validationFailed({ resource: 'SubIssue', code: 'custom', field: 'sub_issue_id', message });
}

function partNamed(call: Call): Issue {
  const id = optionalInteger(call.body, 'sub_issue_id');
  if (id === undefined) throw refused('sub_issue_id is missing');
  return issueById(call, id);
}

function isWithin(issue: Issue | null, other: Issue): boolean {
  return issue !== null && (issue === other || isWithin(issue.parent, other));
}

function add(call: Call): Reply {
  const issue = writable(call);
  const part = partNamed(call);
  if (isWithin(issue, part)) throw refused('An issue cannot be a part of itself');
  if (part.parent !== null && call.body.replace_parent !== true) {
    throw refused('Sub issue may only have one parent');
  }
  addSubIssue(call.host.store, issue, part, call.access.person());
  return { status: 201, body: present(call, issue) };
}

function remove(call: Call): Reply {
  const issue = writable(call);
  const part = partNamed(call);
  if (part.parent !== issue) throw notFound();
  removeSubIssue(call.host.store, issue, part, call.access.person());
  return { status: 200, body: present(call, issue) };
}

function parentOf(call: Call): Reply {
  const { parent } = issueOf(call);
  if (parent === null || !call.access.hasRole(parent.repo, 'read')) throw notFound();
  return { status: 200, body: present(call, parent) };
}

const write = { scopes: 'repo', permission: 'issues=write' };
const read = { scopes: 'repo', permission: 'issues=read' };
const issue = '/repos/:owner/:repo/issues/:number';

/** Routes of parent issues and sub-issues. */
export const subIssueRoutes: Route[] = [
  {
    method: 'GET',
    path: `${issue}/sub_issues`,
    ...read,
    handle: (call) => page(call, issueOf(call).subIssues, (part) => present(call, part)),
  },
  { method: 'POST', path: `${issue}/sub_issues`, ...write, handle: add },
  { method: 'DELETE', path: `${issue}/sub_issue`, ...write, handle: remove },
  { method: 'GET', path: `${issue}/parent`, ...read, handle: parentOf },
];
