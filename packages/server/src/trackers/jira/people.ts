import { z } from 'zod';
import { type ProviderProject, type ProviderUser, TrackerError } from '../provider.ts';
import { type WireUser, wireUser } from './dialect.ts';
import { loginOf } from './map.ts';
import { get, type Site } from './site.ts';

const MOST_USERS = 100;

/** Where somebody is to be assigned: an issue by its key, or a project. */
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
  const parameters = { ...where, ...words, maxResults: String(MOST_USERS) };
  const call = { path: '/user/assignable/search', query: parameters, subject: 'people to assign' };
  return get(site, z.array(wireUser), call, signal);
}

/** People whom an issue of the project can be assigned to. Where two have one name, their account ids tell them apart. */
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
 * What identifies the one person these logins name to the API; null for nobody.
 * @throws {TrackerError} `invalid` when they are several, or name nobody who can be assigned, or more than one.
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
    // A search is by names; an account id is taken as it is, and Jira says if it is none.
    if (site.address.isCloud && /^(?:\d+:)?[0-9a-f-]{24,}$/i.test(login)) return login;
    throw new TrackerError('invalid', `“${login}” cannot be assigned here.`);
  }
  if (another === undefined) return id;
  throw new TrackerError('invalid', `More than one person is called “${login}”. Choose one by account id.`);
}
