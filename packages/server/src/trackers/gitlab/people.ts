import { z } from 'zod';
import { type IssueTarget, type ProviderProject, type ProviderUser, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { aboutProject, projectPath } from './api-paths.ts';
import { readAll } from './listing.ts';
import { type WireItem, wireUser } from './map.ts';

const wireMember = wireUser.extend({ state: z.string().nullish() });
type WireMember = z.infer<typeof wireMember>;

const MAX_SUGGESTIONS = 100;
/**
 * Minimum length of a text for GitLab's partial search of names. A shorter text finds only whole
 * names.
 */
const MIN_SEARCH_CHARS = 3;

/**
 * Finds active members of a project and its parent groups. A member matches if the login, or a word
 * of the name, starts with the text.
 */
export async function suggestMembers(
  client: RestClient,
  project: ProviderProject,
  text: string,
  signal: AbortSignal,
): Promise<ProviderUser[]> {
  const wanted = text.trim().toLowerCase();
  const fits = (begin: string) => begin.toLowerCase().startsWith(wanted);
  const members = await searchMembers(
    client,
    project,
    wanted.length < MIN_SEARCH_CHARS ? '' : wanted,
    signal,
  );
  return members
    .filter(
      ({ username, name }) => fits(username) || fits(name ?? '') || (name ?? '').split(/\s+/).some(fits),
    )
    .slice(0, MAX_SUGGESTIONS)
    .map(({ id, username, name }) => ({ externalId: String(id), login: username, name: name ?? username }));
}

async function searchMembers(
  client: RestClient,
  project: ProviderProject,
  query: string,
  signal: AbortSignal,
): Promise<WireMember[]> {
  const call = {
    path: `${projectPath(project)}/members/all`,
    query: query === '' ? {} : { query },
    ...aboutProject(project),
  };
  const members = await readAll(client, wireMember, call, signal);
  const active = members.filter(({ state }) => (state ?? 'active') === 'active');
  return [...new Map(active.map((member) => [member.id, member])).values()];
}

/**
 * Returns the user ids for these logins. Searches the current assignees and the project members.
 * @throws {TrackerError} `invalid`, naming the first login that was not found
 */
export async function assigneeIds(
  client: RestClient,
  project: ProviderProject,
  assigned: WireItem['assignees'],
  logins: readonly string[],
  signal: AbortSignal,
): Promise<number[]> {
  const ids: number[] = [];
  for (const login of logins) {
    const isIt = (user: { username: string } | null) => user?.username.toLowerCase() === login.toLowerCase();
    const found = assigned?.find(isIt) ?? (await searchMembers(client, project, login, signal)).find(isIt);
    if (!found) throw cannotBeAssigned(client, project, login);
    ids.push(found.id);
  }
  return ids;
}

function cannotBeAssigned(client: RestClient, project: ProviderProject, login: string): TrackerError {
  const sentence = `${client.address.name} has no member ${login} of ${project.identifier}, so nothing can be assigned to them.`;
  return new TrackerError('invalid', sentence);
}

/**
 * Verifies that GitLab has stored the assignees. GitLab silently ignores changes that the token's
 * role does not allow.
 *
 * Some licenses allow only one assignee per issue and store the first one. That is not an error.
 * @throws {TrackerError} `forbidden` if GitLab did not store them
 */
export function requireAssigned(
  client: RestClient,
  target: IssueTarget,
  wire: WireItem,
  ids: readonly number[],
): void {
  const now = (wire.assignees ?? []).flatMap((user) => (user === null ? [] : [user.id]));
  const isAsAsked = now.length === new Set(ids).size && ids.every((id) => now.includes(id));
  const isFirst = now.length === 1 && now[0] === ids[0];
  if (!isAsAsked && !isFirst) throw notChanged(client, target, 'assignees');
}

/** Returns the error for a field of an issue that GitLab should have changed but did not. */
export function notChanged(client: RestClient, target: IssueTarget, what: string): TrackerError {
  const sentence = `${client.address.name} did not change the ${what} of ${target.key}. The token's role in this project may be too low.`;
  return new TrackerError('forbidden', sentence);
}
