import type { Call } from './call.ts';
import { invalidRequest, validationFailed } from './github-error.ts';
import type { IssueEdit } from './issue-changes.ts';
import { nullableText, optionalChoice, optionalInteger, optionalNames } from './json-body.ts';
import { requireShort } from './lookup.ts';
import type { Issue } from './model.ts';
import type { GitHubStateReason } from './seed.ts';

const maxTitle = 256;
const stateReasons: readonly GitHubStateReason[] = ['completed', 'not_planned', 'duplicate', 'reopened'];

function readTitle(call: Call): string | undefined {
  const { title } = call.body;
  if (title === undefined || title === null) return undefined;
  if (typeof title !== 'string' && typeof title !== 'number') {
    throw invalidRequest(`For 'properties/title', ${JSON.stringify(title)} is not a string or an integer.`);
  }
  const text = String(title).trim();
  if (text === '') throw validationFailed({ resource: 'Issue', code: 'missing_field', field: 'title' });
  if (text.length > maxTitle) {
    const message = `title is too long (maximum is ${maxTitle} characters)`;
    throw validationFailed({ resource: 'Issue', code: 'custom', field: 'title', message });
  }
  return text;
}

/**
 * Returns the logins of the assignees; undefined if the request has none.
 * @throws {GitHubError} 422 for an unknown account
 */
export function readAssignees(call: Call): string[] | undefined {
  const single = nullableText(call.body, 'assignee');
  const logins =
    optionalNames(call.body, 'assignees', 'login') ?? (single ? [single] : single === null ? [] : undefined);
  const unknown = logins?.filter((login) => !call.host.store.accounts.has(login.toLowerCase())) ?? [];
  if (unknown.length > 0) {
    throw validationFailed({ resource: 'Issue', code: 'invalid', field: 'assignees', value: unknown });
  }
  return logins;
}

/**
 * Returns the fields that can be set when an issue is created and when it is edited.
 * @throws {GitHubError} 422 for invalid values
 */
export function readEdit(call: Call): IssueEdit {
  const title = readTitle(call);
  const body = nullableText(call.body, 'body');
  requireShort(body ?? null, 'Issue');
  const labels = optionalNames(call.body, 'labels', 'name');
  const assignees = readAssignees(call);
  if (call.body.milestone !== undefined && call.body.milestone !== null) {
    throw validationFailed({ resource: 'Issue', code: 'invalid', field: 'milestone' });
  }
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(labels === undefined ? {} : { labels }),
    ...(assignees === undefined ? {} : { assignees }),
  };
}

/**
 * Returns the state fields of an edit. `duplicate_issue_id` is a database id, not an issue number.
 *
 * @throws {GitHubError} 422 for an unknown value, an unknown id, or the id of the issue itself
 */
export function readStateEdit(call: Call, issue: Issue): IssueEdit {
  const state = optionalChoice(call.body, 'state', ['open', 'closed']);
  const known = stateReasons.filter((reason) => call.host.duplicateReason || reason !== 'duplicate');
  const stateReason =
    call.body.state_reason === null ? null : optionalChoice(call.body, 'state_reason', known);
  const id = call.host.duplicateReason ? optionalInteger(call.body, 'duplicate_issue_id') : undefined;
  const duplicateOf = id === undefined ? undefined : call.host.store.issuesById.get(id);
  if (
    id !== undefined &&
    (!duplicateOf || duplicateOf === issue || !call.access.hasRole(duplicateOf.repo, 'read'))
  ) {
    throw validationFailed({
      resource: 'Issue',
      code: 'invalid',
      field: 'duplicate_issue_id',
      value: String(id),
    });
  }
  return {
    ...(state === undefined ? {} : { state }),
    ...(stateReason === undefined ? {} : { stateReason }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
  };
}
