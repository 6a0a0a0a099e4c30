import { z } from 'zod';
import { type ConnectionCheck, type ProviderOrganization, TrackerError } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { readAll } from './listing.ts';
import { toProject, wireAccount, wireRepository } from './map.ts';
import { missingRoles, missingScopes } from './permissions.ts';

interface TokenOwner {
  login: string;
  /** Of the answer, which tell what the token may do. */
  headers: Headers;
}

/** What was asked once is not asked again in the same piece of work, for which a client lives. */
const owners = new WeakMap<RestClient, TokenOwner>();

/** The token's owner. @throws {TrackerError} `not_found` when no GitHub answers at the address. */
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
    const sentence = `No GitHub answers at ${apiUrl}. Check the address.`;
    throw new TrackerError('not_found', sentence, { cause: error });
  }
}

/**
 * Proves that the token works and names what it lacks. A classic token lists its scopes. A fine-grained one does not: of
 * that, only what reading shows is told, and a missing write permission first shows when something is written.
 */
export async function checkToken(client: RestClient, signal: AbortSignal): Promise<ConnectionCheck> {
  const { login, headers } = await askForOwner(client, signal);
  const scopes = headers.get('x-oauth-scopes');
  const missingPermissions = scopes === null ? await missingByReading(client, signal) : missingScopes(scopes);
  return { login, missingPermissions, tellsWriting: scopes !== null };
}

async function missingByReading(client: RestClient, signal: AbortSignal): Promise<string[]> {
  const subject = 'your repositories';
  const query = { per_page: '100', sort: 'pushed' };
  const answer = await client.call({ method: 'GET', path: '/user/repos', query, subject }, signal);
  const repositories = readAs(z.array(wireRepository), answer.data, client.address.name, subject);
  // A public repository's issues can be read with any token, so a private one tells more.
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
 * The token's owner, then the organizations it reaches. GitHub lists none to a fine-grained token, nor to a classic one
 * without read:org: there they are the owners of the repositories it reaches.
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
