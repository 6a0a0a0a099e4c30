import type { JsonObject } from '../http/json.ts';
import { may, type Permission } from './access.ts';
import type { IssueChanges } from './issue-changes.ts';
import { issueNotFound, JiraError } from './jira-error.ts';
import type { Issue, Project, User } from './model.ts';
import type { View } from './present.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/** A parsed request, as routes receive it. */
export interface Call {
  store: Store;
  changes: IssueChanges;
  webhooks: Webhooks;
  /** The caller. Null if the caller is anonymous. */
  user: User | null;
  params: Record<string, string>;
  query: URLSearchParams;
  body: JsonObject;
  view: View;
}

/** The response of a route. A response with status 204 has no `body`. */
export interface Reply {
  status: number;
  body?: unknown;
}

/**
 * A route. Its path is relative to `/rest/api/3` or `/rest/api/2`. Paths of webhook routes are
 * relative to `/rest/webhooks/1.0`.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The only deployment with this route. Default: both deployments have it. */
  only?: 'cloud' | 'data_center';
  handle: (call: Call) => Reply;
}

/**
 * Returns the user who sent the request.
 * @throws {JiraError} 401 if the caller is anonymous
 */
export function userOf({ user }: Call): User {
  if (user !== null) return user;
  throw new JiraError(401, ['Client must be authenticated to access this resource.']);
}

export function canSee({ user }: Call, project: Project): boolean {
  return may(user, project, 'BROWSE_PROJECTS');
}

/**
 * Finds the issue that the path names.
 * @throws {JiraError} 404 if it does not exist or the caller cannot see it
 */
export function issueOf(call: Call, idOrKey = call.params.issue ?? ''): Issue {
  const issue = call.store.issue(idOrKey);
  if (issue === undefined || !canSee(call, issue.project)) throw issueNotFound();
  return issue;
}

/**
 * Checks that the caller has a permission in a project, and returns the caller.
 * @throws {JiraError} with `status` and the message `message` if the permission is missing
 */
export function permit(
  call: Call,
  project: Project,
  permission: Permission,
  status: number,
  message: string,
): User {
  const user = userOf(call);
  if (!may(user, project, permission)) throw new JiraError(status, [message]);
  return user;
}

export function list(query: URLSearchParams, name: string): string[] | null {
  const values = query.getAll(name).flatMap((value) => value.split(','));
  return values.length === 0 ? null : values.map((value) => value.trim());
}

export function integer(query: URLSearchParams, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? otherwise);
  return Number.isInteger(value) && value >= 0 ? value : otherwise;
}
