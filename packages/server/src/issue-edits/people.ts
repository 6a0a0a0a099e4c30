import { findProject } from '../issues/service.ts';
import { invalid, notFound, upstreamFailed } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem } from '../trackers/connections.ts';
import type { ProviderUser } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';

const ASK_PEOPLE_MS = 10_000;
/** Of people who can be assigned, so many are named to who named somebody else. */
const PEOPLE_NAMED = 10;
/** The one who owns the connection to the tracker. */
const MYSELF = 'me';

/**
 * The logins of people of a project who were named by login, by full name or as `me`, each once.
 *
 * @throws {AppError} 422 when a name is nobody's, or more than one's; it names others only to those who may read. 502 when
 * the tracker cannot be asked.
 */
export async function loginsOf(
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
  const signal = AbortSignal.timeout(ASK_PEOPLE_MS);
  const find = async (name: string, index: number): Promise<string> => {
    if (name.toLowerCase() === MYSELF && row.login !== null) return row.login;
    const wanted = name.replace(/^@/, '');
    const people = await provider.assignableUsers(place, wanted, signal);
    const login = loginOf(people, wanted);
    if (login !== null) return login;
    const nobody = `Nobody is called ${name} in ${project.identifier}.`;
    const others = people.length > 0 ? [] : await provider.assignableUsers(place, '', signal);
    const message = mayRead ? `${nobody}${whoElse(people, others)}` : nobody;
    throw invalid([{ path: `assignees.${index}`, message }]);
  };
  try {
    return [...new Set(await Promise.all(names.map(find)))];
  } catch (error) {
    const problem = connectionProblem(error);
    throw problem === null ? error : upstreamFailed(problem, error);
  }
}

/** Whose login, or else whose full name alone, this is. */
function loginOf(people: readonly ProviderUser[], wanted: string): string | null {
  const isCalled = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const byLogin = people.find(({ login }) => isCalled(login));
  if (byLogin) return byLogin.login;
  const byName = people.filter(({ name }) => isCalled(name));
  return byName.length === 1 ? (byName[0]?.login ?? null) : null;
}

/** Who may be meant, or else who there is. */
function whoElse(alike: readonly ProviderUser[], others: readonly ProviderUser[]): string {
  const logins = (people: readonly ProviderUser[]) =>
    people
      .slice(0, PEOPLE_NAMED)
      .map(({ login }) => login)
      .join(', ');
  if (alike.length > 0) return ` Did you mean ${logins(alike)}?`;
  return others.length > 0 ? ` Issues there can be assigned to ${logins(others)}.` : '';
}
