import type { Call, Reply, Route } from './call.ts';
import { forbidden, notFound, validationFailed } from './github-error.ts';
import { deleteLabel, editIssue } from './issue-changes.ts';
import { nullableText, optionalNames, optionalText, requiredText } from './json-body.ts';
import { issueOf, repoOf } from './lookup.ts';
import type { Issue, Label, Repo } from './model.ts';
import { page } from './pagination.ts';
import { presentLabel } from './present-issue.ts';

function labelOf(call: Call, repo: Repo): Label {
  const label = repo.labels.get((call.params.name ?? '').toLowerCase());
  if (!label) throw notFound();
  return label;
}

/** Returns the repository that the path names. Throws unless the caller may change its labels. */
function labelledRepo(call: Call): Repo {
  const repo = repoOf(call);
  call.access.requireIssuesWrite(repo);
  if (!call.access.hasRole(repo, 'write')) throw notFound();
  return repo;
}

/**
 * Returns the color in the request body; undefined if it is missing.
 * @throws {GitHubError} 422 if it does not consist of six hexadecimal digits
 */
function readColor(call: Call): string | undefined {
  const color = optionalText(call.body, 'color');
  if (color !== undefined && !/^[0-9a-f]{6}$/i.test(color)) {
    throw validationFailed({ resource: 'Label', code: 'invalid', field: 'color' });
  }
  return color;
}

function refuseTaken(repo: Repo, name: string): void {
  if (repo.labels.has(name.toLowerCase())) {
    throw validationFailed({ resource: 'Label', code: 'already_exists', field: 'name' });
  }
}

function createLabel(call: Call): Reply {
  const repo = labelledRepo(call);
  const name = requiredText(call.body, 'name');
  refuseTaken(repo, name);
  const color = readColor(call);
  const description = nullableText(call.body, 'description') ?? null;
  const label = call.host.store.label(repo, name, { description, ...(color === undefined ? {} : { color }) });
  const shown = presentLabel(label, repo, call.links);
  return { status: 201, body: shown, headers: { location: shown.url } };
}

function updateLabel(call: Call): Reply {
  const repo = labelledRepo(call);
  const label = labelOf(call, repo);
  const newName = optionalText(call.body, 'new_name');
  if (newName !== undefined && newName.toLowerCase() !== label.name.toLowerCase()) refuseTaken(repo, newName);
  label.color = readColor(call) ?? label.color;
  const description = nullableText(call.body, 'description');
  if (description !== undefined) label.description = description;
  if (newName !== undefined) {
    repo.labels.delete(label.name.toLowerCase());
    label.name = newName;
    repo.labels.set(newName.toLowerCase(), label);
  }
  return { status: 200, body: presentLabel(label, repo, call.links) };
}

/**
 * Replaces the labels of an issue by the result of `change`. Returns the issue.
 * @throws {GitHubError} 403 if the caller's role is below triage
 */
function changeLabels(call: Call, change: (current: string[], issue: Issue) => string[]): Issue {
  const issue = issueOf(call);
  const person = call.access.requireIssuesWrite(issue.repo);
  if (!call.access.hasRole(issue.repo, 'triage')) throw forbidden('Must have admin rights to Repository.');
  const current = issue.labels.map((label) => label.name);
  editIssue(call.host.store, issue, person, { labels: change(current, issue) });
  return issue;
}

function labelsReply(call: Call, issue: Issue): Reply {
  return { status: 200, body: issue.labels.map((label) => presentLabel(label, issue.repo, call.links)) };
}

const write = { scopes: 'repo', permission: 'issues=write; pull_requests=write' };
const read = { scopes: 'repo', permission: 'issues=read; pull_requests=read' };
const ofRepo = '/repos/:owner/:repo/labels';
const ofIssue = '/repos/:owner/:repo/issues/:number/labels';

/** Routes of labels: those of a repository, and those of an issue. */
export const labelRoutes: Route[] = [
  {
    method: 'GET',
    path: ofRepo,
    ...read,
    handle: (call) => {
      const repo = repoOf(call);
      return page(call, [...repo.labels.values()], (label) => presentLabel(label, repo, call.links));
    },
  },
  { method: 'POST', path: ofRepo, ...write, handle: createLabel },
  {
    method: 'GET',
    path: `${ofRepo}/:name`,
    ...read,
    handle: (call) => {
      const repo = repoOf(call);
      return { status: 200, body: presentLabel(labelOf(call, repo), repo, call.links) };
    },
  },
  { method: 'PATCH', path: `${ofRepo}/:name`, ...write, handle: updateLabel },
  {
    method: 'DELETE',
    path: `${ofRepo}/:name`,
    ...write,
    handle: (call) => {
      const repo = labelledRepo(call);
      deleteLabel(call.host.store, repo, labelOf(call, repo));
      return { status: 204 };
    },
  },
  {
    method: 'GET',
    path: ofIssue,
    ...read,
    handle: (call) => {
      const issue = issueOf(call);
      return page(call, issue.labels, (label) => presentLabel(label, issue.repo, call.links));
    },
  },
  {
    method: 'POST',
    path: ofIssue,
    ...write,
    handle: (call) => {
      const named = optionalNames(call.body, 'labels', 'name') ?? [];
      return labelsReply(
        call,
        changeLabels(call, (current) => [...current, ...named]),
      );
    },
  },
  {
    method: 'PUT',
    path: ofIssue,
    ...write,
    handle: (call) => {
      const named = optionalNames(call.body, 'labels', 'name') ?? [];
      return labelsReply(
        call,
        changeLabels(call, () => named),
      );
    },
  },
  {
    method: 'DELETE',
    path: ofIssue,
    ...write,
    handle: (call) => {
      changeLabels(call, () => []);
      return { status: 204 };
    },
  },
  {
    method: 'DELETE',
    path: `${ofIssue}/:name`,
    ...write,
    handle: (call) => {
      const name = (call.params.name ?? '').toLowerCase();
      const issue = changeLabels(call, (current, { labels }) => {
        if (!labels.some((label) => label.name.toLowerCase() === name)) throw notFound();
        return current.filter((label) => label.toLowerCase() !== name);
      });
      return labelsReply(call, issue);
    },
  },
];
