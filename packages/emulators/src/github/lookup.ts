import type { Call } from './call.ts';
import { type GitHubError, gone, moved, notFound, validationFailed } from './github-error.ts';
import type { Comment, Issue, Repo } from './model.ts';

/**
 * Finds the repository that the path names.
 * @throws {GitHubError} 404 if it does not exist or the caller cannot see it
 */
export function repoOf(call: Call): Repo {
  const repo = call.host.store.repo(call.params.owner ?? '', call.params.repo ?? '');
  if (!repo) throw notFound();
  call.access.requireVisible(repo);
  return repo;
}

/**
 * Finds the issue or pull request that the path names.
 *
 * @throws {GitHubError} 404 if it does not exist, and 410 if it was deleted or issues are disabled
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

/**
 * Finds an issue by its database id.
 * @throws {GitHubError} 404 if it does not exist or the caller cannot see it
 */
export function issueById(call: Call, id: number): Issue {
  const issue = call.host.store.issuesById.get(id);
  if (!issue || !call.access.hasRole(issue.repo, 'read')) throw notFound();
  return issue;
}

/**
 * Finds the comment that the path names.
 * @throws {GitHubError} 404 if it does not exist
 */
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

/**
 * Returns a query parameter with a fixed set of values.
 * @throws {GitHubError} 422 for any other value
 */
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

/**
 * Returns the `since` parameter in milliseconds; -Infinity if it is missing.
 * @throws {GitHubError} 422 for an invalid time
 */
export function querySinceMs(call: Call): number {
  const text = call.query.get('since');
  if (text === null || text === '') return Number.NEGATIVE_INFINITY;
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw validationFailed({ resource: 'Issue', code: 'invalid', field: 'since', value: text });
  return ms;
}

const maxText = 65_536;

/**
 * Checks the length of a text.
 * @throws {GitHubError} 422 if the text exceeds GitHub's limit
 */
export function requireShort(text: string | null, resource: string): void {
  if (text === null || text.length <= maxText) return;
  throw validationFailed({
    resource,
    code: 'custom',
    field: 'body',
    message: `body is too long (maximum is ${maxText} characters)`,
  });
}
