import { z } from 'zod';
import { type IssueTarget, type Provider, type ProviderLink, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { about, issuePath } from './api-paths.ts';
import { getIssue, readAll } from './listing.ts';
import { keyOfIssueUrl } from './map.ts';

const wireLinked = z.object({ url: z.string() });

/** Implements links between issues with GitHub's dependencies. */
export function gitHubLinks(client: RestClient): Pick<Provider, 'links' | 'link' | 'unlink'> {
  const dependencies = (target: IssueTarget) => `${issuePath(target)}/dependencies`;

  /**
   * Returns the issue's database id, by which GitHub's dependency API identifies the other issue.
   */
  async function idOf(target: IssueTarget, signal: AbortSignal): Promise<number> {
    return (await getIssue(client, target, signal)).id;
  }

  async function read(
    target: IssueTarget,
    side: 'blocked_by' | 'blocking',
    signal: AbortSignal,
  ): Promise<ProviderLink[]> {
    const call = { path: `${dependencies(target)}/${side}`, ...about(target) };
    const issues = await readAll(client, wireLinked, call, signal);
    return issues.flatMap(({ url }) => {
      const key = keyOfIssueUrl(url);
      return key === null ? [] : [{ kind: side === 'blocking' ? 'blocks' : side, key } as const];
    });
  }

  return {
    /**
     * Returns both sides of the target's dependencies. Empty if the host does not support them.
     */
    async links(target: IssueTarget, signal: AbortSignal): Promise<ProviderLink[]> {
      try {
        return [...(await read(target, 'blocked_by', signal)), ...(await read(target, 'blocking', signal))];
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // A host without dependencies responds with 404, like for a missing issue.
        await idOf(target, signal);
        return [];
      }
    },

    /** @throws {TrackerError} `unsupported` if the host has no such link */
    async link(
      target: IssueTarget,
      kind: 'blocks' | 'duplicates',
      other: IssueTarget,
      signal: AbortSignal,
    ): Promise<void> {
      if (kind === 'duplicates') throw onlyByClosing();
      const issue_id = await idOf(target, signal);
      const body = { issue_id };
      const path = `${dependencies(other)}/blocked_by`;
      try {
        await client.call({ method: 'POST', path, body, ...about(other) }, signal);
      } catch (error) {
        if (await isThere(error, target, other, signal)) return;
        if (!isNotFound(error)) throw error;
        await idOf(other, signal);
        throw new TrackerError(
          'unsupported',
          `${client.address.name} does not support dependencies between issues.`,
          {
            cause: error,
          },
        );
      }
    },

    async unlink(
      target: IssueTarget,
      kind: 'blocks' | 'duplicates',
      other: IssueTarget,
      signal: AbortSignal,
    ): Promise<void> {
      if (kind === 'duplicates') throw onlyByClosing();
      const path = `${dependencies(other)}/blocked_by/${await idOf(target, signal)}`;
      try {
        await client.call({ method: 'DELETE', path, ...about(other) }, signal);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };

  /**
   * True if the dependency already exists. GitHub reports that with the same status as any other
   * invalid request.
   */
  async function isThere(
    error: unknown,
    target: IssueTarget,
    other: IssueTarget,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!(error instanceof TrackerError && error.code === 'invalid')) return false;
    const links = await read(other, 'blocked_by', signal);
    return links.some(({ key }) => key.toLowerCase() === target.key.toLowerCase());
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof TrackerError && error.code === 'not_found';
}

function onlyByClosing(): TrackerError {
  return new TrackerError('unsupported', 'GitHub links an issue to its original only by closing it.');
}
