import type { IssueTarget, ProviderIssue, ProviderProject } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { about, aboutProject, type ItemKind, itemOf, itemPath, projectPath } from './api-paths.ts';
import { toIssue, type WireItem, wireItem } from './map.ts';
import { Originals } from './originals.ts';

/** API calls on a single issue or merge request. */
export interface ItemCalls {
  get(target: IssueTarget, signal: AbortSignal): Promise<WireItem>;
  put(target: IssueTarget, body: object, signal: AbortSignal): Promise<WireItem>;
  post(project: ProviderProject, body: object, signal: AbortSignal): Promise<WireItem>;
  /**
   * Converts GitLab's response to an issue. For a duplicate, adds the key of the original issue.
   */
  asIssue(
    project: ProviderProject,
    kind: ItemKind,
    wire: WireItem,
    signal: AbortSignal,
  ): Promise<ProviderIssue>;
  /** Converts GitLab's response to a call on the target. */
  asTarget(target: IssueTarget, wire: WireItem, signal: AbortSignal): Promise<ProviderIssue>;
}

export function itemCalls(client: RestClient): ItemCalls {
  const originals = new Originals(client);

  async function send(call: RestCall, signal: AbortSignal): Promise<WireItem> {
    return readAs(wireItem, (await client.call(call, signal)).data, client.address.name, call.subject);
  }

  const calls: ItemCalls = {
    get: (target, signal) => send({ method: 'GET', path: itemPath(target), ...about(target) }, signal),
    put: (target, body, signal) =>
      send({ method: 'PUT', path: itemPath(target), body, ...about(target) }, signal),
    post: (project, body, signal) =>
      send(
        { method: 'POST', path: `${projectPath(project)}/issues`, body, ...aboutProject(project) },
        signal,
      ),
    asIssue: async (project, kind, wire, signal) =>
      toIssue(project, kind, wire, await originals.keyOf(project, wire, signal)),
    asTarget: (target, wire, signal) =>
      calls.asIssue(target.project, itemOf(target.externalId).kind, wire, signal),
  };
  return calls;
}
