import { z } from 'zod';
import {
  type ConnectionCheck,
  type ProviderOrganization,
  type ProviderProject,
  TrackerError,
} from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { readAll } from './listing.ts';
import { toProject, wireProject, wireUser } from './map.ts';

const wireToken = z.object({ scopes: z.array(z.string()) });
const wireGroup = z.object({ full_path: z.string(), full_name: z.string().nullish() });

type TokenOwner = z.infer<typeof wireUser>;

/**
 * Caches the token owner per client. A client lives only for one piece of work, such as a sync, so
 * the cache never becomes stale.
 */
const owners = new WeakMap<RestClient, TokenOwner>();

async function tokenOwner(client: RestClient, signal: AbortSignal): Promise<TokenOwner> {
  signal.throwIfAborted();
  return owners.get(client) ?? askForOwner(client, signal);
}

/**
 * Fetches the owner of the token.
 * @throws {TrackerError} `not_found` if the address is not a GitLab
 */
async function askForOwner(client: RestClient, signal: AbortSignal): Promise<TokenOwner> {
  const { apiUrl, name } = client.address;
  const call: RestCall = { method: 'GET', path: '/user', subject: 'the owner of this token' };
  try {
    const owner = readAs(wireUser, (await client.call(call, signal)).data, name, call.subject);
    owners.set(client, owner);
    return owner;
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error;
    const sentence = `No GitLab server was found at ${apiUrl}. Check the address.`;
    throw new TrackerError('not_found', sentence, { cause: error });
  }
}

/**
 * Returns the scopes of the token. Returns null if GitLab does not report them: before version
 * 15.5, and for tokens that are not personal, project or group access tokens.
 */
async function tokenScopes(client: RestClient, signal: AbortSignal): Promise<string[] | null> {
  const call: RestCall = { method: 'GET', path: '/personal_access_tokens/self', subject: 'this token' };
  try {
    return readAs(wireToken, (await client.call(call, signal)).data, client.address.name, call.subject)
      .scopes;
  } catch (error) {
    const tellsNothing = ['not_found', 'invalid', 'forbidden'];
    if (error instanceof TrackerError && tellsNothing.includes(error.code)) return null;
    throw error;
  }
}

/**
 * Verifies the token and returns the scopes that it lacks. The owner's role in a project becomes
 * known only when a write fails.
 */
export async function checkToken(client: RestClient, signal: AbortSignal): Promise<ConnectionCheck> {
  const scopes = await tokenScopes(client, signal);
  const { username } = await askForOwner(client, signal);
  return { login: username, missingPermissions: missingScopes(scopes), reportsWriteAccess: scopes !== null };
}

function missingScopes(scopes: string[] | null): string[] {
  if (scopes === null || scopes.includes('api')) return [];
  return [scopes.includes('read_api') ? 'api (write issues)' : 'api (read and write issues)'];
}

/** Returns the token's owner and the groups of that user, by full path. Subgroups are included. */
export async function listOrganizations(
  client: RestClient,
  signal: AbortSignal,
): Promise<ProviderOrganization[]> {
  const owner = await tokenOwner(client, signal);
  const query = { all_available: 'false', order_by: 'path', sort: 'asc' };
  const call = { path: '/groups', query, subject: 'your groups' };
  const groups = await readAll(client, wireGroup, call, signal);
  return [
    { identifier: owner.username, name: owner.name ?? owner.username },
    ...groups.map(({ full_path, full_name }) => ({ identifier: full_path, name: full_name ?? full_path })),
  ];
}

/**
 * Returns the projects of a group, or of the token owner's namespace, whose issues are enabled.
 * Projects of a subgroup are listed for the subgroup only.
 */
export async function listProjects(
  client: RestClient,
  organization: string,
  signal: AbortSignal,
): Promise<ProviderProject[]> {
  const owner = await tokenOwner(client, signal);
  const isOwn = owner.username.toLowerCase() === organization.toLowerCase();
  const path = isOwn ? `/users/${owner.id}` : `/groups/${encodeURIComponent(organization)}`;
  const query = {
    archived: 'false',
    with_issues_enabled: 'true',
    order_by: 'path',
    sort: 'asc',
    ...(isOwn ? {} : { include_subgroups: 'false', with_shared: 'false' }),
  };
  const subject = isOwn ? 'your projects' : `the group ${organization}`;
  const projects = await readAll(client, wireProject, { path: `${path}/projects`, query, subject }, signal);
  return projects.map(toProject);
}
