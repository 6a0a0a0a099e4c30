import { type ProviderProject, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { originalOf, type WireItem, wireProject } from './map.ts';

/** Finds the keys of issues that GitLab identifies by project id. Takes one request per project. */
export class Originals {
  readonly #client: RestClient;
  readonly #paths = new Map<string, string | null>();

  constructor(client: RestClient) {
    this.#client = client;
  }

  /**
   * Returns the key of the original that this issue was closed as a duplicate of. Returns null if
   * there is none, or the token cannot see it.
   */
  async keyOf(project: ProviderProject, wire: WireItem, signal: AbortSignal): Promise<string | null> {
    const original = originalOf(wire);
    if (original === null) return null;
    const path =
      original.projectId === project.externalId
        ? project.identifier
        : await this.#pathOf(original.projectId, signal);
    return path === null ? null : `${path}#${original.iid}`;
  }

  async #pathOf(projectId: string, signal: AbortSignal): Promise<string | null> {
    const known = this.#paths.get(projectId);
    if (known !== undefined) return known;
    const path = await this.#askFor(projectId, signal);
    this.#paths.set(projectId, path);
    return path;
  }

  async #askFor(projectId: string, signal: AbortSignal): Promise<string | null> {
    const subject = `the project ${projectId}`;
    try {
      const answer = await this.#client.call(
        { method: 'GET', path: `/projects/${projectId}`, subject },
        signal,
      );
      return readAs(wireProject, answer.data, this.#client.address.name, subject).path_with_namespace;
    } catch (error) {
      if (error instanceof TrackerError && ['not_found', 'forbidden'].includes(error.code)) return null;
      throw error;
    }
  }
}
