import type { Call, Reply, Route } from './call.ts';
import { forbidden, invalidRequest, notFound, validationFailed } from './github-error.ts';
import { editIssue, type IssueEdit, openIssue } from './issue-changes.ts';
import { readAssignees, readEdit, readStateEdit } from './issue-input.ts';
import { issueOf, issuesDisabled, queryChoice, querySinceMs, repoOf } from './lookup.ts';
import { type Account, fullName, type Issue } from './model.ts';
import { page } from './pagination.ts';
import { presentSimpleUser } from './present-account.ts';
import { presentIssue } from './present-issue.ts';

function present(call: Call, issue: Issue): unknown {
  return presentIssue(issue, call.links, call.withAssignee);
}

/** True if the issue has all of these labels. `names` must be in lower case. */
function hasLabels(issue: Issue, names: string[]): boolean {
  return names.every((name) => issue.labels.some((label) => label.name.toLowerCase() === name));
}

function matchesPerson(people: Account[], wanted: string | null): boolean {
  if (wanted === null || wanted === '') return true;
  if (wanted === '*') return people.length > 0;
  if (wanted === 'none') return people.length === 0;
  return people.some((person) => person.login.toLowerCase() === wanted.toLowerCase());
}

/**
 * Lists issues and pull requests in one list, like GitHub. If issues are disabled, lists only pull
 * requests.
 */
function listIssues(call: Call): Reply {
  const repo = repoOf(call);
  call.access.requireIssuesRead(repo);
  const state = queryChoice(call, 'state', ['open', 'closed', 'all'], 'open');
  const sort = queryChoice(call, 'sort', ['created', 'updated', 'comments'], 'created');
  const descending = queryChoice(call, 'direction', ['asc', 'desc'], 'desc') === 'desc';
  const sinceMs = querySinceMs(call);
  const labels = (call.query.get('labels') ?? '').toLowerCase().split(',').filter(Boolean);
  const milestone = call.query.get('milestone');
  const assignee = call.query.get('assignee');
  const creator = call.query.get('creator');
  if (milestone !== null && !['', '*', 'none'].includes(milestone)) {
    throw validationFailed({ resource: 'Issue', code: 'invalid', field: 'milestone', value: milestone });
  }
  const found = repo.issues
    .by(sort)
    .filter(
      (issue) =>
        (state === 'all' || issue.state === state) &&
        issue.updatedMs >= sinceMs &&
        (repo.hasIssues || issue.isPull) &&
        milestone !== '*' &&
        (labels.length === 0 || hasLabels(issue, labels)) &&
        matchesPerson(issue.assignees, assignee) &&
        matchesPerson([issue.user], creator),
    );
  if (descending) found.reverse();
  return page(call, found, (issue) => present(call, issue));
}

/**
 * Creates an issue. Labels and assignees are ignored without an error if the caller's role is below
 * triage.
 */
function createIssue(call: Call): Reply {
  const repo = repoOf(call);
  const person = call.access.requireIssuesWrite(repo);
  if (!repo.hasIssues) throw issuesDisabled();
  if (call.body.title === undefined || call.body.title === null)
    throw invalidRequest('"title" wasn\'t supplied.');
  const edit = readEdit(call);
  const mayTriage = call.access.hasRole(repo, 'triage');
  const { store } = call.host;
  const issue = openIssue(
    store,
    repo,
    { title: edit.title ?? '', body: edit.body ?? null, user: person.login },
    person.login,
  );
  if (mayTriage) {
    const { labels, assignees } = edit;
    editIssue(store, issue, person, { ...(labels ? { labels } : {}), ...(assignees ? { assignees } : {}) });
  }
  const headers = { location: `${call.links.api}/repos/${fullName(repo)}/issues/${issue.number}` };
  return { status: 201, body: present(call, issue), headers };
}

/**
 * Updates an issue. Texts can be changed by the author and by callers with the write role. The
 * state can also be changed with the triage role. Labels and assignees require the triage role.
 */
function updateIssue(call: Call): Reply {
  const issue = issueOf(call);
  const person = call.access.requireIssuesWrite(issue.repo);
  const edit: IssueEdit = { ...readEdit(call), ...readStateEdit(call, issue) };
  const isAuthor = issue.user === person;
  const mayTriage = call.access.hasRole(issue.repo, 'triage');
  const mayWrite = isAuthor || call.access.hasRole(issue.repo, 'write');
  const writesText = edit.title !== undefined || edit.body !== undefined;
  if ((!isAuthor && !mayTriage) || (writesText && !mayWrite))
    throw forbidden('Must have admin rights to Repository.');
  if (!mayTriage) {
    delete edit.labels;
    delete edit.assignees;
  }
  editIssue(call.host.store, issue, person, edit);
  return { status: 200, body: present(call, issue) };
}

function changeAssignees(call: Call, change: (current: string[], named: string[]) => string[]): Issue {
  const issue = issueOf(call);
  const person = call.access.requireIssuesWrite(issue.repo);
  const named = readAssignees(call) ?? [];
  const current = issue.assignees.map((assignee) => assignee.login);
  if (call.access.hasRole(issue.repo, 'triage')) {
    editIssue(call.host.store, issue, person, { assignees: change(current, named) });
  }
  return issue;
}

const write = { scopes: 'repo', permission: 'issues=write; pull_requests=write' };
const read = { scopes: 'repo', permission: 'issues=read; pull_requests=read' };
const issues = '/repos/:owner/:repo/issues';

/**
 * Returns the users to whom an issue can be assigned. For an organization, these are its members;
 * otherwise the owner.
 */
function assignable(call: Call): Account[] {
  const { owner } = repoOf(call);
  if (owner.kind === 'User') return [owner];
  return [...owner.members].map((login) => call.host.store.account(login));
}

/** Routes of issues. */
export const issueRoutes: Route[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/assignees',
    scopes: 'repo',
    permission: 'issues=read',
    handle: (call) => page(call, assignable(call), (person) => presentSimpleUser(person, call.links)),
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/assignees/:login',
    scopes: 'repo',
    permission: 'issues=read',
    handle: (call) => {
      const wanted = call.params.login?.toLowerCase();
      if (!assignable(call).some(({ login }) => login.toLowerCase() === wanted)) throw notFound();
      return { status: 204 };
    },
  },
  { method: 'GET', path: issues, ...read, handle: listIssues },
  { method: 'POST', path: issues, ...write, handle: createIssue },
  {
    method: 'GET',
    path: `${issues}/:number`,
    ...read,
    handle: (call) => ({ status: 200, body: present(call, issueOf(call)) }),
  },
  { method: 'PATCH', path: `${issues}/:number`, ...write, handle: updateIssue },
  {
    method: 'POST',
    path: `${issues}/:number/assignees`,
    ...write,
    handle: (call) => {
      const issue = changeAssignees(call, (current, named) => [...current, ...named]);
      return { status: 201, body: present(call, issue) };
    },
  },
  {
    method: 'DELETE',
    path: `${issues}/:number/assignees`,
    ...write,
    handle: (call) => {
      const gone = (login: string, named: string[]) =>
        named.some((n) => n.toLowerCase() === login.toLowerCase());
      const issue = changeAssignees(call, (current, named) => current.filter((login) => !gone(login, named)));
      return { status: 200, body: present(call, issue) };
    },
  },
];
