import { z } from 'zod';
import { type Connection, type Provider, type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { linkTo } from '../rest/link-header.ts';
import { readAs } from '../rest/read.ts';
import { gitHubAddress } from './address.ts';
import { aboutProject, repositoryPath } from './api-paths.ts';
import { createGitHubClient, type GitHubClientOptions } from './client.ts';
import { gitHubHooks } from './hooks.ts';
import { checkToken, listOrganizations, tokenOwner } from './identity.ts';
import { gitHubLinks } from './links.ts';
import { getIssue, readAll, walk } from './listing.ts';
import {
  projectOf,
  toComment,
  toIssue,
  toProject,
  type WireIssue,
  type WireRepository,
  wireAccount,
  wireComment,
  wireIssue,
  wireRepository,
} from './map.ts';
import { gitHubWrites } from './writes.ts';

export type GitHubProviderOptions = Omit<GitHubClientOptions, 'address' | 'token'> & {
  connection: Connection;
};

/** Maximum users suggested for an assignment. */
const MAX_USERS = 100;

/**
 * Creates the provider for github.com or an Enterprise Server.
 * @throws {TrackerError} `invalid` if the connection's address is invalid
 */
export function createGitHubProvider({ connection, ...options }: GitHubProviderOptions): Provider {
  const address = gitHubAddress(connection.url);
  const client = createGitHubClient({ ...options, address, token: connection.apiKey });

  async function repository(project: ProviderProject, signal: AbortSignal): Promise<WireRepository> {
    const call: RestCall = {
      method: 'GET',
      path: repositoryPath(project.identifier),
      ...aboutProject(project),
    };
    return readAs(wireRepository, (await client.call(call, signal)).data, address.name, call.subject);
  }

  /**
   * Returns one page of the repository's issues in creation order. The response headers link to
   * other pages.
   */
  async function pageByCreation(project: ProviderProject, page: Record<string, string>, signal: AbortSignal) {
    const call: RestCall = {
      method: 'GET',
      path: `${repositoryPath(project.identifier)}/issues`,
      query: { state: 'all', sort: 'created', direction: 'asc', ...page },
      ...aboutProject(project),
    };
    const { data, headers } = await client.call(call, signal);
    const issues = readAs(z.array(z.object({ number: z.int() })), data, address.name, call.subject);
    const link = headers.get('link');
    return { issues, next: linkTo(link, 'next'), previous: linkTo(link, 'prev'), last: linkTo(link, 'last') };
  }

  return {
    type: 'github',
    commentsMoveIssues: false,
    rateLimitUse: () => client.rateLimitUse(),
    webhooks: gitHubHooks(client),
    ...gitHubLinks(client),
    ...gitHubWrites(client),

    check: (signal) => checkToken(client, signal),

    organizations: (signal) => listOrganizations(client, signal),

    async projects(organizationIdentifier, signal) {
      const { login } = await tokenOwner(client, signal);
      const isOwn = login.toLowerCase() === organizationIdentifier.toLowerCase();
      const call = isOwn
        ? {
            path: '/user/repos',
            query: { affiliation: 'owner', sort: 'full_name' },
            subject: 'your repositories',
          }
        : {
            path: `/orgs/${encodeURIComponent(organizationIdentifier)}/repos`,
            query: { sort: 'full_name' },
            subject: `the organization ${organizationIdentifier}`,
          };
      const repositories = await readAll(client, wireRepository, call, signal);
      return repositories.flatMap((repository) => toProject(repository) ?? []);
    },

    async issues(project, cursor, signal) {
      const call = {
        path: `${repositoryPath(project.identifier)}/issues`,
        query: { state: 'all' },
        ...aboutProject(project),
      };
      const map = (wire: WireIssue) => toIssue(project, wire);
      return walk(client, { call, schema: wireIssue, idOf: (wire) => String(wire.id), map }, cursor, signal);
    },

    async comments(project, cursor, signal) {
      const call = {
        path: `${repositoryPath(project.identifier)}/issues/comments`,
        ...aboutProject(project),
      };
      const listing = { call, schema: wireComment, map: toComment };
      return walk(client, { ...listing, idOf: (wire) => String(wire.id) }, cursor, signal);
    },

    async issue(target, signal) {
      try {
        return toIssue(target.project, await getIssue(client, target, signal));
      } catch (error) {
        if (!(error instanceof TrackerError && error.code === 'not_found')) throw error;
        if (toProject(await repository(target.project, signal)) !== null) return null;
        throw new TrackerError(
          'forbidden',
          `The issues of ${target.project.identifier} are turned off, or the repository is archived.`,
          { cause: error },
        );
      }
    },

    async project(project, signal) {
      try {
        const found = projectOf(await repository(project, signal));
        // After a rename, another repository may have taken the old name.
        return found.externalId === project.externalId ? found : null;
      } catch (error) {
        if (error instanceof TrackerError && error.code === 'not_found') return null;
        throw error;
      }
    },

    async expectWritable(target, write, signal) {
      signal.throwIfAborted();
      if (write !== 'comment' || !(await getIssue(client, target, signal)).locked) return;
      const { permissions } = await repository(target.project, signal);
      if (permissions?.push !== false) return;
      throw new TrackerError(
        'forbidden',
        `The conversation of ${target.key} is locked, so this token may not comment there. Unlock it first.`,
      );
    },

    async count(project, signal) {
      const { issues, next, last } = await pageByCreation(project, { per_page: '1' }, signal);
      const pages = last?.searchParams.get('page') ?? null;
      if (pages !== null) return Number(pages);
      // GitHub provides no page numbers for large listings.
      return next === null ? issues.length : null;
    },

    /**
     * Reads the numbered pages from the last to the first. A deletion then only moves issues to
     * pages that are read later, so no issue is missed. Large listings have no page numbers;
     * deletions do not affect their order.
     */
    async externalIds(project, cursor, signal) {
      const page: Record<string, string> =
        cursor === null ? { per_page: '100' } : Object.fromEntries(new URLSearchParams(cursor));
      const { issues, next, previous, last } = await pageByCreation(project, page, signal);
      const isNumbered = page.after === undefined;
      const onward = cursor === null ? (last ?? next) : isNumbered ? previous : next;
      return {
        items: issues.map(({ number }) => String(number)),
        cursor: onward?.searchParams.toString() ?? '',
        done: onward === null,
        total: null,
      };
    },

    async assignableUsers(project, query, signal) {
      const call = { path: `${repositoryPath(project.identifier)}/assignees`, ...aboutProject(project) };
      const people = await readAll(client, wireAccount.extend({ id: z.int() }), call, signal);
      const begins = query.toLowerCase();
      return people
        .filter(({ login }) => login.toLowerCase().startsWith(begins))
        .slice(0, MAX_USERS)
        .map(({ id, login }) => ({ externalId: String(id), login, name: login }));
    },
  };
}
