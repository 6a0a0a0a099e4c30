import { z } from 'zod';
import { carriesMarker, withMarker } from '../comment-marker.ts';
import {
  type Connection,
  type IssueTarget,
  type Provider,
  type ProviderProject,
  TrackerError,
} from '../provider.ts';
import type { RestAnswer, RestCall } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { gitHubAddress } from './address.ts';
import { createGitHubClient, type GitHubClientOptions, withinRepository } from './client.ts';
import { checkToken, listOrganizations, tokenOwner } from './identity.ts';
import { readAll, walk } from './listing.ts';
import {
  toComment,
  toIssue,
  toProject,
  type WireIssue,
  wireComment,
  wireIssue,
  wireRepository,
} from './map.ts';

export type GitHubProviderOptions = Omit<GitHubClientOptions, 'address' | 'token'> & {
  connection: Connection;
};

/** A comment is looked for from this long before it was posted: GitHub's clock is not ours. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/**
 * GitHub behind the port: github.com, or an Enterprise Server.
 * @throws {TrackerError} `invalid` when the connection's address is none.
 */
export function createGitHubProvider({ connection, ...options }: GitHubProviderOptions): Provider {
  const address = gitHubAddress(connection.url);
  const client = createGitHubClient({ ...options, address, token: connection.apiKey });

  function read<T>(schema: z.ZodType<T>, answer: RestAnswer, call: RestCall): T {
    return readAs(schema, answer.data, address.name, call.subject);
  }

  async function getIssue(target: IssueTarget, signal: AbortSignal): Promise<WireIssue> {
    const call: RestCall = { method: 'GET', path: issuePath(target), ...about(target) };
    return read(wireIssue, await client.call(call, signal), call);
  }

  async function patchIssue(target: IssueTarget, body: object, signal: AbortSignal): Promise<WireIssue> {
    const call: RestCall = { method: 'PATCH', path: issuePath(target), body, ...about(target) };
    return read(wireIssue, await client.call(call, signal), call);
  }

  return {
    type: 'github',

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
        return toIssue(target.project, await getIssue(target, signal));
      } catch (error) {
        if (error instanceof TrackerError && error.code === 'not_found') return null;
        throw error;
      }
    },

    async comment(target, body, marker, signal) {
      const call: RestCall = {
        method: 'POST',
        path: `${issuePath(target)}/comments`,
        body: { body: withMarker(body, marker) },
        ...about(target),
      };
      return String(read(z.object({ id: z.int() }), await client.call(call, signal), call).id);
    },

    async findComment(target, marker, postedAfter, signal) {
      const since = new Date(postedAfter.getTime() - CLOCK_DIFFERENCE_MS);
      const call = {
        path: `${issuePath(target)}/comments`,
        query: { since: `${since.toISOString().slice(0, 19)}Z` },
        ...about(target),
      };
      const comments = await readAll(client, wireComment, call, signal);
      const found = comments.find(({ body }) => carriesMarker(body ?? '', marker));
      return found === undefined ? null : String(found.id);
    },

    async deleteComment(target, commentExternalId, signal) {
      const path = `${repositoryPath(target.project.identifier)}/issues/comments/${encodeURIComponent(commentExternalId)}`;
      try {
        await client.call({ method: 'DELETE', path, ...about(target) }, signal);
      } catch (error) {
        if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error;
      }
    },

    async closeAsDuplicate(target, original, signal) {
      const withoutLink = { state: 'closed', state_reason: 'not_planned' };
      if (original === null) return toIssue(target.project, await patchIssue(target, withoutLink, signal));
      // GitHub names the original by its database id; a number there would link some other issue.
      const { id } = await getIssue(original, signal);
      try {
        const close = { state: 'closed', state_reason: 'duplicate', duplicate_issue_id: id };
        return toIssue(target.project, await patchIssue(target, close, signal));
      } catch (error) {
        if (!(error instanceof TrackerError && isUnknownReason(error))) throw error;
        return toIssue(target.project, await patchIssue(target, withoutLink, signal));
      }
    },

    async reopen(target, signal) {
      return toIssue(target.project, await patchIssue(target, { state: 'open' }, signal));
    },
  };
}

/** An older Enterprise Server knows no such reason to close; it names the field, or only the word. */
function isUnknownReason({ code, answer }: TrackerError): boolean {
  return (
    code === 'invalid' && /state_reason|duplicate_issue_id|"duplicate/.test(answer.replaceAll('\\"', '"'))
  );
}

type About = Pick<RestCall, 'subject' | 'checkRedirect'>;

function about(target: IssueTarget): About {
  const subject = `the issue ${target.key}`;
  return { subject, ...withinRepository(target.project.externalId, subject) };
}

function aboutProject(project: ProviderProject): About {
  const subject = `the repository ${project.identifier}`;
  return { subject, ...withinRepository(project.externalId, subject) };
}

function issuePath(target: IssueTarget): string {
  return `${repositoryPath(target.project.identifier)}/issues/${encodeURIComponent(target.externalId)}`;
}

/** @throws {TrackerError} `invalid` when the name is not an owner and a repository. */
function repositoryPath(fullName: string): string {
  const [owner = '', repository = '', ...rest] = fullName.split('/');
  const segments = [owner, repository];
  if (rest.length > 0 || segments.some((segment) => !/^[\w.-]+$/.test(segment) || /^\.+$/.test(segment))) {
    throw new TrackerError('invalid', `"${fullName}" is no repository. It is named owner/repository.`);
  }
  return `/repos/${owner}/${repository}`;
}
