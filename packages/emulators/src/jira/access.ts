import type { IncomingHttpHeaders } from 'node:http';
import { JiraError } from './jira-error.ts';
import type { Project, User } from './model.ts';
import type { Store } from './store.ts';

/**
 * The caller of a request. On Cloud, a wrong token makes the caller anonymous. On Data Center, it
 * gets status 401.
 */
export interface Access {
  user: User | null;
  headers: Record<string, string>;
}

/**
 * Returns the caller of a request.
 * @throws {JiraError} 401 for a wrong token on Data Center
 */
export function authenticate(store: Store, headers: IncomingHttpHeaders): Access {
  const [scheme = '', secret = ''] = headers.authorization?.split(' ') ?? [];
  if (scheme === '') return { user: null, headers: {} };
  const user = store.isCloud ? cloudUser(store, scheme, secret) : serverUser(store, scheme, secret);
  if (user !== null) return { user, headers: { 'x-aaccountid': encodeURIComponent(user.accountId) } };
  if (store.isCloud) return { user: null, headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' } };
  throw new JiraError(
    401,
    ['Client must be authenticated to access this resource.'],
    {},
    {
      'x-seraph-loginreason': 'AUTHENTICATED_FAILED',
      'www-authenticate': 'OAuth realm="http%3A%2F%2Fjira"',
    },
  );
}

function cloudUser(store: Store, scheme: string, secret: string): User | null {
  if (scheme !== 'Basic') return null;
  const [email = '', token = ''] = Buffer.from(secret, 'base64').toString('utf8').split(':');
  const user = store.users.get(store.tokens.get(token) ?? '');
  return user?.email.toLowerCase() === email.toLowerCase() ? user : null;
}

function serverUser(store: Store, scheme: string, secret: string): User | null {
  if (scheme === 'Bearer') return store.users.get(store.tokens.get(secret) ?? '') ?? null;
  const [name = '', password = ''] = Buffer.from(secret, 'base64').toString('utf8').split(':');
  return store.tokens.get(password) === name ? (store.users.get(name) ?? null) : null;
}

/** Permissions by key, with the names that Jira displays. */
export const PERMISSIONS = {
  BROWSE_PROJECTS: 'Browse Projects',
  CREATE_ISSUES: 'Create Issues',
  EDIT_ISSUES: 'Edit Issues',
  TRANSITION_ISSUES: 'Transition Issues',
  ASSIGN_ISSUES: 'Assign Issues',
  CLOSE_ISSUES: 'Close Issues',
  RESOLVE_ISSUES: 'Resolve Issues',
  LINK_ISSUES: 'Link Issues',
  ADD_COMMENTS: 'Add Comments',
  DELETE_OWN_COMMENTS: 'Delete Own Comments',
  DELETE_ISSUES: 'Delete Issues',
  ADMINISTER_PROJECTS: 'Administer Projects',
} as const;
export type Permission = keyof typeof PERMISSIONS;

export function may(user: User | null, project: Project, permission: Permission): boolean {
  if (user === null) return false;
  const denied = project.denied.get(user.name);
  return !denied?.has('BROWSE_PROJECTS') && !denied?.has(permission);
}
