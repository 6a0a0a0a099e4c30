import { z } from 'zod';
import { type ProviderProject, type ProviderUser, TrackerError } from '../provider.ts';
import { type WireUser, wireUser } from './dialect.ts';
import { loginOf } from './map.ts';
import { get, type Site } from './site.ts';

const MAX_USERS = 100;

/** Issue (by key) or project in which a user is to be assigned. */
export type AssignedIn = { issueKey: string } | { project: ProviderProject };

async function search(
  site: Site,
  query: string,
  place: AssignedIn,
  signal: AbortSignal,
): Promise<WireUser[]> {
  const where =
    'issueKey' in place
      ? { issueKey: place.issueKey }
      : { project: site.address.isCloud ? place.project.externalId : place.project.identifier };
  const words: Record<string, string> = site.address.isCloud ? { query } : { username: query };
  const parameters = { ...where, ...words, maxResults: String(MAX_USERS) };
  const call = { path: '/user/assignable/search', query: parameters, subject: 'people to assign' };
  return get(site, z.array(wireUser), call, signal);
}

/**
 * Returns users who can be assigned to issues of the project. If several users have the same name,
 * their account ids are used as logins.
 */
export async function searchUsers(
  site: Site,
  project: ProviderProject,
  query: string,
  signal: AbortSignal,
): Promise<ProviderUser[]> {
  const found = await search(site, query, { project }, signal);
  const logins = found.map((user) => loginOf(site.dialect, user));
  return found.flatMap((user, index) => {
    const id = site.dialect.idOf(user);
    if (id === null) return [];
    const login = logins[index] ?? id;
    const isShared = logins.indexOf(login) !== logins.lastIndexOf(login);
    return [{ externalId: id, login: isShared ? id : login, name: user.displayName ?? login }];
  });
}

/**
 * Returns the id of the user with this login. Returns null if `logins` is empty, which means no
 * assignee.
 * @throws {TrackerError} `invalid` for several logins
 * @throws {TrackerError} `invalid` if no assignable user, or more than one, has this login
 */
export async function assigneeId(
  site: Site,
  logins: readonly string[],
  place: AssignedIn,
  signal: AbortSignal,
): Promise<string | null> {
  const [login, ...more] = logins;
  if (login === undefined) return null;
  if (more.length > 0) throw new TrackerError('invalid', 'Jira has one assignee per issue. Choose one.');
  const found = await search(site, login, place, signal);
  const ids = found.flatMap((user) => {
    const id = site.dialect.idOf(user);
    return id !== null && (id === login || loginOf(site.dialect, user) === login) ? [id] : [];
  });
  const [id, another] = ids;
  if (id === undefined) {
    // Jira searches only names. So a text that looks like an account id is used unchecked, and Jira
    // refuses an invalid one.
    if (site.address.isCloud && /^(?:\d+:)?[0-9a-f-]{24,}$/i.test(login)) return login;
    throw new TrackerError('invalid', `“${login}” cannot be assigned here.`);
  }
  if (another === undefined) return id;
  throw new TrackerError('invalid', `More than one person is called “${login}”. Choose one by account id.`);
}
