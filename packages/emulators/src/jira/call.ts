import type { JsonObject } from '../http/json.ts';
import { may, type Permission } from './access.ts';
import type { IssueChanges } from './issue-changes.ts';
import { issueNotFound, JiraError } from './jira-error.ts';
import type { Issue, Project, User } from './model.ts';
import type { View } from './present.ts';
import type { Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/** One request, as a route sees it. */
export interface Call {
  store: Store;
  changes: IssueChanges;
  webhooks: Webhooks;
  /** null for nobody Jira knows */
  user: User | null;
  params: Record<string, string>;
  query: URLSearchParams;
  body: JsonObject;
  view: View;
}

/** What a route answers; `body` is left out when there is none. */
export interface Reply {
  status: number;
  body?: unknown;
}

/** A path is below `/rest/api/3` or `/rest/api/2`, one of webhooks below `/rest/webhooks/1.0`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** where the route is; default both */
  only?: 'cloud' | 'data_center';
  handle: (call: Call) => Reply;
}

/** @throws JiraError 401 for nobody */
export function userOf({ user }: Call): User {
  if (user !== null) return user;
  throw new JiraError(401, ['Client must be authenticated to access this resource.']);
}

export function canSee({ user }: Call, project: Project): boolean {
  return may(user, project, 'BROWSE_PROJECTS');
}

/** The issue in the path. @throws JiraError 404 when it is not there or not to be seen */
export function issueOf(call: Call, idOrKey = call.params.issue ?? ''): Issue {
  const issue = call.store.issue(idOrKey);
  if (issue === undefined || !canSee(call, issue.project)) throw issueNotFound();
  return issue;
}

/** @throws JiraError of that status when the user lacks the permission */
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
