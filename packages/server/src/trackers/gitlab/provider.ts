import {
  type Connection,
  type IssueTarget,
  type Provider,
  type ProviderIssue,
  type ProviderProject,
  TrackerError,
} from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { gitLabAddress } from './address.ts';
import { aboutProject, itemOf, projectPath } from './api-paths.ts';
import { createGitLabClient, type GitLabClientOptions } from './client.ts';
import { walkComments } from './comments.ts';
import { gitLabHooks } from './hooks.ts';
import { checkToken, listOrganizations, listProjects } from './identity.ts';
import { itemCalls } from './item-calls.ts';
import { countOf, walkItems } from './items.ts';
import { gitLabLinks } from './links.ts';
import {
  externalIdOf,
  hasMoved,
  toProject,
  type WireItem,
  type WireProject,
  wireId,
  wireItem,
  wireProject,
} from './map.ts';
import { suggestMembers } from './people.ts';
import { unlessGone } from './unless-gone.ts';
import { gitLabWrites } from './writes.ts';

export type GitLabProviderOptions = Omit<GitLabClientOptions, 'address' | 'token'> & {
  connection: Connection;
};

/**
 * Creates the provider for GitLab. It treats merge requests like issues, but with external ids of
 * another form (see `itemOf`).
 * @throws {TrackerError} `invalid` if the connection's address is invalid
 */
export function createGitLabProvider({ connection, ...options }: GitLabProviderOptions): Provider {
  const address = gitLabAddress(connection.url);
  const client = createGitLabClient({ ...options, address, token: connection.apiKey });
  const items = itemCalls(client);

  async function projectNow(project: ProviderProject, signal: AbortSignal): Promise<WireProject> {
    const call: RestCall = { method: 'GET', path: projectPath(project), ...aboutProject(project) };
    return readAs(wireProject, (await client.call(call, signal)).data, address.name, call.subject);
  }

  /**
   * Throws if issues (or merge requests) are turned off in the project. GitLab then returns 404 for
   * each item, as if the item were deleted.
   */
  async function expectEnabled({ project, externalId }: IssueTarget, signal: AbortSignal): Promise<void> {
    const { kind } = itemOf(externalId);
    const wire = await projectNow(project, signal);
    const isOff = kind === 'issues' ? wire.issues_enabled === false : wire.merge_requests_enabled === false;
    if (!isOff) return;
    const name = kind === 'issues' ? 'issues' : 'merge requests';
    throw new TrackerError('forbidden', `The ${name} of ${project.identifier} are turned off.`);
  }

  return {
    type: 'gitlab',
    commentsMoveIssues: true,
    rateLimitUse: () => client.rateLimitUse(),
    webhooks: gitLabHooks(client),
    ...gitLabLinks(client, items),
    ...gitLabWrites(client, items),

    check: (signal) => checkToken(client, signal),

    organizations: (signal) => listOrganizations(client, signal),

    projects: (organization, signal) => listProjects(client, organization, signal),

    async project(project, signal) {
      const wire = await unlessGone(projectNow(project, signal));
      return wire === null ? null : toProject(wire);
    },

    /**
     * Allows every write. Members may comment on locked items, and all other permissions depend on
     * the token's role, which only a write reveals.
     */
    async expectWritable(_target, _write, signal) {
      signal.throwIfAborted();
    },

    /**
     * Returns the number of issues and merge requests together, with two requests. Returns null if
     * one of the two numbers exceeds 10,000.
     */
    async count(project, signal) {
      const issues = await countOf(client, project, 'issues', signal);
      const requests = await countOf(client, project, 'merge_requests', signal);
      return issues === null || requests === null ? null : issues + requests;
    },

    async issues(project, cursor, signal) {
      const timeOf = ({ updated_at }: WireItem) => updated_at;
      const listing = { schema: wireItem, by: 'updated_at', timeOf } as const;
      const {
        wires,
        kind,
        isRefused: _,
        ...page
      } = await walkItems(client, project, listing, cursor, signal);
      const found: ProviderIssue[] = [];
      const gone: string[] = [];
      for (const wire of wires) {
        if (hasMoved(wire)) gone.push(externalIdOf(kind, wire));
        else found.push(await items.asIssue(project, kind, wire, signal));
      }
      return { items: found, gone, ...page };
    },

    async externalIds(project, cursor, signal) {
      const timeOf = ({ created_at }: { created_at: Date }) => created_at;
      const listing = { schema: wireId, by: 'created_at', timeOf } as const;
      const { wires, kind, isRefused, ...page } = await walkItems(client, project, listing, cursor, signal);
      const items = wires.filter((wire) => !hasMoved(wire)).map((wire) => externalIdOf(kind, wire));
      return { ...page, items, ...(isRefused ? { hiddenType: 'change_request' } : {}) };
    },

    comments: (project, cursor, signal) => walkComments(client, project, cursor, signal),

    async issue(target, signal) {
      const wire = await unlessGone(items.get(target, signal));
      if (wire === null) await expectEnabled(target, signal);
      return wire === null || hasMoved(wire) ? null : items.asTarget(target, wire, signal);
    },

    assignableUsers: (project, query, signal) => suggestMembers(client, project, query, signal),
  };
}
