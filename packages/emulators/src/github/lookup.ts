import type { Call } from './call.ts';
import { type GitHubError, gone, moved, notFound, validationFailed } from './github-error.ts';
import type { Comment, Issue, Repo } from './model.ts';

/** The repository a path names. @throws GitHubError 404 when it is not there or not the caller's to see */
export function repoOf(call: Call): Repo {
  const repo = call.host.store.repo(call.params.owner ?? '', call.params.repo ?? '');
  if (!repo) throw notFound();
  call.access.requireVisible(repo);
  return repo;
}

/**
 * The issue or pull request a path names.
 *
 * @throws GitHubError 404, or 410 when it was deleted or is an issue of a repository that has none any more
 */
export function issueOf(call: Call): Issue {
  const repo = repoOf(call);
  call.access.requireIssuesRead(repo);
  const number = Number(call.params.number);
  if (repo.deletedNumbers.has(number)) throw gone('This issue was deleted');
  const there = repo.transferred.get(number);
  if (there) throw moved(`${call.links.api}/repositories/${there.repo.id}/issues/${there.number}`);
  const issue = repo.byNumber.get(number);
  if (!issue) throw notFound();
  if (!repo.hasIssues && !issue.isPull) throw issuesDisabled();
  return issue;
}

/** An issue anywhere, by its database id, that the caller can see. @throws GitHubError 404 */
export function issueById(call: Call, id: number): Issue {
  const issue = call.host.store.issuesById.get(id);
  if (!issue || !call.access.hasRole(issue.repo, 'read')) throw notFound();
  return issue;
}

/** The comment a path names. @throws GitHubError 404 */
export function commentOf(call: Call): Comment {
  const repo = repoOf(call);
  call.access.requireIssuesRead(repo);
  const comment = call.host.store.commentsById.get(Number(call.params.id));
  if (comment?.issue.repo !== repo) throw notFound();
  return comment;
}

export function issuesDisabled(): GitHubError {
  return gone('Issues are disabled for this repo');
}

/** A query parameter with a closed set of values. @throws GitHubError 422 for any other */
export function queryChoice<T extends string>(
  call: Call,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const value = call.query.get(name);
  if (value === null || value === '') return fallback;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw validationFailed({ resource: 'Issue', code: 'invalid', field: name, value });
  return found;
}

/** The `since` parameter in milliseconds, -Infinity when absent. @throws GitHubError 422 when it is not a time */
export function querySinceMs(call: Call): number {
  const text = call.query.get('since');
  if (text === null || text === '') return Number.NEGATIVE_INFINITY;
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw validationFailed({ resource: 'Issue', code: 'invalid', field: 'since', value: text });
  return ms;
}

const maxText = 65_536;

/** @throws GitHubError 422 when a text that is to be written is longer than GitHub takes */
export function requireShort(text: string | null, resource: string): void {
  if (text === null || text.length <= maxText) return;
  throw validationFailed({
    resource,
    code: 'custom',
    field: 'body',
    message: `body is too long (maximum is ${maxText} characters)`,
  });
}
