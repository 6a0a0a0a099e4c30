import { z } from 'zod';
import { type ConnectionCheck, type ProviderOrganization, TrackerError } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { readAll } from './listing.ts';
import { toProject, wireAccount, wireRepository } from './map.ts';
import { missingRoles, missingScopes } from './permissions.ts';

interface TokenOwner {
  login: string;
  /** Headers of the response to the token lookup. They show the token's permissions. */
  headers: Headers;
}

/**
 * Caches the token owner per client. A client lives only for one piece of work, such as a sync, so
 * the cache never becomes stale.
 */
const owners = new WeakMap<RestClient, TokenOwner>();

/**
 * Returns the owner of the token.
 * @throws {TrackerError} `not_found` if the address is not a GitHub
 */
export async function tokenOwner(client: RestClient, signal: AbortSignal): Promise<TokenOwner> {
  signal.throwIfAborted();
  return owners.get(client) ?? askForOwner(client, signal);
}

async function askForOwner(client: RestClient, signal: AbortSignal): Promise<TokenOwner> {
  const { apiUrl, name } = client.address;
  const call: RestCall = { method: 'GET', path: '/user', subject: 'the owner of this token' };
  try {
    const answer = await client.call(call, signal);
    const { login } = readAs(wireAccount, answer.data, name, call.subject);
    const owner = { login, headers: answer.headers };
    owners.set(client, owner);
    return owner;
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error;
    const sentence = `No GitHub server was found at ${apiUrl}. Check the address.`;
    throw new TrackerError('not_found', sentence, { cause: error });
  }
}

/**
 * Verifies the token and returns the permissions that it lacks.
 *
 * For a classic token, GitHub reports the scopes. A fine-grained token is tested for read access
 * only: GitHub reports a missing write permission only when a write fails.
 */
export async function checkToken(client: RestClient, signal: AbortSignal): Promise<ConnectionCheck> {
  const { login, headers } = await askForOwner(client, signal);
  const scopes = headers.get('x-oauth-scopes');
  const missingPermissions = scopes === null ? await missingByReading(client, signal) : missingScopes(scopes);
  return { login, missingPermissions, reportsWriteAccess: scopes !== null };
}

async function missingByReading(client: RestClient, signal: AbortSignal): Promise<string[]> {
  const subject = 'your repositories';
  const query = { per_page: '100', sort: 'pushed' };
  const answer = await client.call({ method: 'GET', path: '/user/repos', query, subject }, signal);
  const repositories = readAs(z.array(wireRepository), answer.data, client.address.name, subject);
  // Tests a private repository if there is one, because any token can read the issues of public
  // repositories.
  const usable = repositories.filter((repository) => toProject(repository) !== null);
  const probed = usable.find((repository) => repository.private) ?? usable[0];
  if (probed === undefined) return missingRoles(repositories);
  try {
    const path = `/repos/${probed.full_name}/issues`;
    await client.call({ method: 'GET', path, query: { per_page: '1' }, subject }, signal);
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'forbidden') throw error;
    return ['Issues: read and write'];
  }
  return missingRoles(repositories);
}

/**
 * Returns the token's owner and the organizations of that user.
 *
 * GitHub lists no organizations for a fine-grained token, or for a classic token without the scope
 * read:org. In that case, returns the owners of all repositories that the token can access.
 */
export async function listOrganizations(
  client: RestClient,
  signal: AbortSignal,
): Promise<ProviderOrganization[]> {
  const { login, headers } = await tokenOwner(client, signal);
  const listed = headers.has('x-oauth-scopes') ? await memberships(client, signal) : null;
  const logins = [login, ...(listed ?? (await repositoryOwners(client, signal)))];
  return logins.map((identifier) => ({ identifier, name: identifier }));
}

async function memberships(client: RestClient, signal: AbortSignal): Promise<string[] | null> {
  const call = { path: '/user/orgs', subject: 'your organizations' };
  try {
    const organizations = await readAll(client, wireAccount, call, signal);
    return organizations.map((organization) => organization.login);
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'forbidden') return null;
    throw error;
  }
}

async function repositoryOwners(client: RestClient, signal: AbortSignal): Promise<string[]> {
  const query = { affiliation: 'collaborator,organization_member', sort: 'full_name' };
  const call = { path: '/user/repos', query, subject: 'your repositories' };
  const repositories = await readAll(client, wireRepository, call, signal);
  const owners = repositories.flatMap(({ owner }) => (owner?.type === 'Organization' ? [owner.login] : []));
  return [...new Set(owners)];
}
