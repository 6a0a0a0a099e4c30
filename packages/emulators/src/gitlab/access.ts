import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, insufficientScope, invalidToken, unauthorized } from './gitlab-error.ts';
import type { Item, Namespace, Note, Project, Token, User } from './model.ts';
import { accessLevels } from './seed.ts';
import type { Store } from './store.ts';

/**
 * The caller of a request, with the permissions of the token. Both fields are null for anonymous
 * callers.
 */
export interface Access {
  user: User | null;
  token: Token | null;
}

/**
 * Returns the caller of a request.
 * @throws {GitLabError} 401 for an unknown, revoked or expired token
 */
export function authenticate(
  store: Store,
  revoked: ReadonlySet<string>,
  headers: IncomingHttpHeaders,
): Access {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const given = headers['private-token']?.toString() ?? bearer;
  if (given === undefined) return { user: null, token: null };
  if (revoked.has(given)) {
    throw invalidToken('Token was revoked. You have to re-authorize from the user.');
  }
  const token = store.tokens.get(given);
  if (!token) throw unauthorized();
  if (token.expiresAt !== null && Date.parse(token.expiresAt) <= store.now()) {
    throw invalidToken('Token is expired. You can either do re-authorization or token refresh.');
  }
  return { user: token.user, token };
}

/**
 * Checks that the token has one of these scopes.
 * @throws {GitLabError} 403 if it has none of them
 */
export function requireScope({ token }: Access, scopes: readonly string[]): void {
  if (token !== null && !token.scopes.some((scope) => scopes.includes(scope))) {
    throw insufficientScope(scopes);
  }
}

/**
 * Returns the user who sent the request.
 * @throws {GitLabError} 401 if the caller is anonymous
 */
export function requireUser({ user }: Access): User {
  if (user === null) throw unauthorized();
  return user;
}

/**
 * Returns the user's highest access level in a group or its parent groups. 0 if the user is not a
 * member.
 */
export function levelInNamespace(user: User | null, namespace: Namespace): number {
  let level = 0;
  for (let at: Namespace | null = namespace; user !== null && at !== null; at = at.parent) {
    level = Math.max(level, at.members.get(user) ?? 0);
  }
  return level;
}

export function levelInProject(user: User | null, project: Project): number {
  const direct = user === null ? 0 : (project.members.get(user) ?? 0);
  return Math.max(direct, levelInNamespace(user, project.namespace));
}

export function canReadProject(user: User | null, project: Project): boolean {
  if (project.visibility === 'public') return true;
  if (project.visibility === 'internal' && user !== null) return true;
  return levelInProject(user, project) > 0;
}

export function canReadGroup(user: User | null, group: Namespace): boolean {
  return (
    group.visibility === 'public' ||
    (group.visibility === 'internal' && user !== null) ||
    levelInNamespace(user, group) > 0
  );
}

/**
 * True if the user can see merge requests. Guests of a private project cannot, because they cannot
 * see its code.
 */
export function canReadMergeRequests(user: User | null, project: Project): boolean {
  if (!project.mergeRequestsEnabled || !canReadProject(user, project)) return false;
  return project.visibility !== 'private' || levelInProject(user, project) >= accessLevels.reporter;
}

export function canRead(user: User | null, item: Item): boolean {
  const { project } = item;
  if (item.kind === 'merge_request') return canReadMergeRequests(user, project);
  if (!project.issuesEnabled || !canReadProject(user, project)) return false;
  if (!item.confidential) return true;
  const isInvolved = user !== null && (item.author === user || item.assignees.includes(user));
  return isInvolved || levelInProject(user, project) >= accessLevels.reporter;
}

export function canReadNote(user: User | null, note: Note): boolean {
  return !note.internal || levelInProject(user, note.item.project) >= accessLevels.reporter;
}

/**
 * True if the user may change the title, text and state of an item. These are the author, the
 * assignees, and users with a sufficient access level.
 */
export function canUpdate(user: User | null, item: Item): boolean {
  if (user === null || item.project.archived || !canRead(user, item)) return false;
  const needed = item.kind === 'issue' ? accessLevels.reporter : accessLevels.developer;
  return (
    levelInProject(user, item.project) >= needed || item.author === user || item.assignees.includes(user)
  );
}

/**
 * True if the user may change labels, assignees and links. This requires at least the reporter
 * role.
 */
export function canSetMetadata(user: User | null, item: Item): boolean {
  return canUpdate(user, item) && levelInProject(user, item.project) >= accessLevels.reporter;
}

export function canComment(user: User | null, item: Item): boolean {
  return user !== null && !item.project.archived && canRead(user, item);
}

/**
 * Checks the user's access level in a project.
 * @throws {GitLabError} 403 if the level is too low
 */
export function requireLevel(user: User | null, project: Project, level: number): void {
  if (levelInProject(user, project) < level) throw forbidden();
}
