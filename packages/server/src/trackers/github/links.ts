import { z } from 'zod';
import { type IssueTarget, type Provider, type ProviderLink, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { about, issuePath } from './api-paths.ts';
import { getIssue, readAll } from './listing.ts';
import { keyOfIssueUrl } from './map.ts';

const wireLinked = z.object({ url: z.string() });

/** Reads and writes links between issues. GitHub stores them as dependencies. */
export function gitHubLinks(client: RestClient): Pick<Provider, 'links' | 'link' | 'unlink'> {
  const dependencies = (target: IssueTarget) => `${issuePath(target)}/dependencies`;

  /**
   * Returns the database id of an issue. GitHub's dependency API requires it for the second issue
   * of a link.
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
     * Returns the issues that block the target and the issues that the target blocks. Empty if the
     * host does not support dependencies.
     */
    async links(target: IssueTarget, signal: AbortSignal): Promise<ProviderLink[]> {
      try {
        return [...(await read(target, 'blocked_by', signal)), ...(await read(target, 'blocking', signal))];
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // A 404 can mean that the host has no dependencies, or that the issue is missing. Reading
        // the issue shows which.
        await idOf(target, signal);
        return [];
      }
    },

    /**
     * Creates a link from the target to the other issue.
     * @throws {TrackerError} `unsupported` if the host does not support this kind of link
     */
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
   * True if creating the dependency failed because it already exists. GitHub returns the status of
   * an invalid request for that.
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
