import type { JsonObject } from '../http/json.ts';
import { may, type Permission } from './access.ts';
import type { IssueChanges } from './issue-changes.ts';
import { issueNotFound, JiraError } from './jira-error.ts';
import type { Issue, Project, User } from './model.ts';
import type { View } from './present.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/** A request as a route receives it. */
export interface Call {
  store: Store;
  changes: IssueChanges;
  webhooks: Webhooks;
  /** Null for an anonymous caller. */
  user: User | null;
  params: Record<string, string>;
  query: URLSearchParams;
  body: JsonObject;
  view: View;
}

/** Response of a route. `body` is optional. */
export interface Reply {
  status: number;
  body?: unknown;
}

/**
 * A route. Its path is relative to `/rest/api/3` or `/rest/api/2`; paths of webhooks are relative
 * to `/rest/webhooks/1.0`.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Deployment that has the route. Default: both. */
  only?: 'cloud' | 'data_center';
  handle: (call: Call) => Reply;
}

/**
 * Returns the user who calls.
 * @throws {JiraError} 401 for an anonymous caller
 */
export function userOf({ user }: Call): User {
  if (user !== null) return user;
  throw new JiraError(401, ['Client must be authenticated to access this resource.']);
}

export function canSee({ user }: Call, project: Project): boolean {
  return may(user, project, 'BROWSE_PROJECTS');
}

/**
 * Returns the issue in the path.
 * @throws {JiraError} 404 if it does not exist or the user may not see it
 */
export function issueOf(call: Call, idOrKey = call.params.issue ?? ''): Issue {
  const issue = call.store.issue(idOrKey);
  if (issue === undefined || !canSee(call, issue.project)) throw issueNotFound();
  return issue;
}

/**
 * Checks a permission of the user.
 * @throws {JiraError} with this status if the user lacks it
 */
export function permit(
  call: Call,
  project: Project,
  permission: Permission,
  status: number,
  said: string,
): User {
  const user = userOf(call);
  if (!may(user, project, permission)) throw new JiraError(status, [said]);
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
