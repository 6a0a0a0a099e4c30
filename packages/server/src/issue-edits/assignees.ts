import { findProject } from '../issues/index.ts';
import { invalid, notFound, upstreamFailed } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem, type ProviderUser, type Trackers } from '../trackers/index.ts';

const ASSIGNABLE_USERS_TIMEOUT_MS = 10_000;
/** Maximum number of assignable logins that are suggested when a name matches no one. */
const MAX_SUGGESTED_LOGINS = 10;
/** Assignee name that means the owner of the tracker connection. */
const CONNECTION_OWNER = 'me';

/**
 * Resolves names of project members to distinct logins. A member is named by login, by full name,
 * or as `me`.
 *
 * @throws {AppError} `invalid` if a name matches no one or several people; the message suggests
 * logins only if the caller may read. `upstream_failed` if the tracker cannot be reached
 */
export async function resolveAssignees(
  { db, trackers }: { db: Db; trackers: Trackers },
  accountId: string,
  projectId: string,
  names: readonly string[],
  { mayRead }: { mayRead: boolean },
): Promise<string[]> {
  if (names.length === 0) return [];
  const project = await findProject(db, accountId, projectId);
  if (!project) throw notFound();
  const { provider, row } = await trackers.open(accountId, project.tracker_id);
  const place = { externalId: project.external_id, identifier: project.identifier, name: project.name };
  const signal = AbortSignal.timeout(ASSIGNABLE_USERS_TIMEOUT_MS);
  const find = async (name: string, index: number): Promise<string> => {
    if (name.toLowerCase() === CONNECTION_OWNER && row.login !== null) return row.login;
    const wanted = name.replace(/^@/, '');
    const people = await provider.assignableUsers(place, wanted, signal);
    const login = loginOf(people, wanted);
    if (login !== null) return login;
    const notFoundText = `No one in ${project.identifier} is called ${name}.`;
    const others = people.length > 0 ? [] : await provider.assignableUsers(place, '', signal);
    const message = mayRead ? `${notFoundText}${suggestionText(people, others)}` : notFoundText;
    throw invalid([{ path: `assignees.${index}`, message }]);
  };
  try {
    return [...new Set(await Promise.all(names.map(find)))];
  } catch (error) {
    const problem = connectionProblem(error);
    throw problem === null ? error : upstreamFailed(problem, error);
  }
}

/**
 * Returns the login that equals the name. If there is none, returns the login of the person with
 * this full name. Null if no person, or more than one, has this full name.
 */
function loginOf(people: readonly ProviderUser[], wanted: string): string | null {
  const isCalled = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const byLogin = people.find(({ login }) => isCalled(login));
  if (byLogin) return byLogin.login;
  const byName = people.filter(({ name }) => isCalled(name));
  return byName.length === 1 ? (byName[0]?.login ?? null) : null;
}

/**
 * Returns a sentence that suggests people with similar names. If there are none, it suggests other
 * assignable people.
 */
function suggestionText(similar: readonly ProviderUser[], others: readonly ProviderUser[]): string {
  const logins = (people: readonly ProviderUser[]) =>
    people
      .slice(0, MAX_SUGGESTED_LOGINS)
      .map(({ login }) => login)
      .join(', ');
  if (similar.length > 0) return ` Did you mean ${logins(similar)}?`;
  return others.length > 0 ? ` Assignable people include ${logins(others)}.` : '';
}
