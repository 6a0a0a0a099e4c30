import type { CloseReason } from '@winnow/contract/change';
import { z } from 'zod';
import { carriesMarker, withMarker } from '../comment-marker.ts';
import { type IssueTarget, type IssueWrites, type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall, RestClient, RestResponse } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { about, aboutProject, issuePath, repositoryPath } from './api-paths.ts';
import { tokenOwner } from './identity.ts';
import { getIssue, readAll } from './listing.ts';
import { toIssue, type WireIssue, wireComment, wireIssue } from './map.ts';

/**
 * Maximum difference assumed between GitHub's clock and ours when searching for a comment or issue
 * by its marker.
 */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/** Methods that write to issues, except those for links. */
export function gitHubWrites(client: RestClient): IssueWrites {
  function read<T>(schema: z.ZodType<T>, answer: RestResponse, call: RestCall): T {
    return readAs(schema, answer.data, client.address.name, call.subject);
  }

  async function patchIssue(target: IssueTarget, body: object, signal: AbortSignal): Promise<WireIssue> {
    const call: RestCall = { method: 'PATCH', path: issuePath(target), body, ...about(target) };
    return read(wireIssue, await client.call(call, signal), call);
  }

  async function canBeAssigned(
    project: ProviderProject,
    login: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const path = `${repositoryPath(project.identifier)}/assignees/${encodeURIComponent(login)}`;
    try {
      await client.call({ method: 'GET', path, ...aboutProject(project) }, signal);
      return true;
    } catch (error) {
      if (error instanceof TrackerError && error.code === 'not_found') return false;
      throw error;
    }
  }

  return {
    async edit(target, { title, description }, signal) {
      const body = {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { body: description }),
      };
      return toIssue(target.project, await patchIssue(target, body, signal));
    },

    async assign(target, logins, signal) {
      // Checks each user, because GitHub silently skips users who cannot be assigned.
      for (const login of logins) {
        if (await canBeAssigned(target.project, login, signal)) continue;
        throw new TrackerError('invalid', `${login} cannot be assigned in ${target.project.identifier}.`);
      }
      return toIssue(target.project, await patchIssue(target, { assignees: logins }, signal));
    },

    async changeLabels(target, { add, remove }, signal) {
      const path = `${issuePath(target)}/labels`;
      for (const label of remove) {
        try {
          const one = `${path}/${encodeURIComponent(label)}`;
          await client.call({ method: 'DELETE', path: one, ...about(target) }, signal);
        } catch (error) {
          // The issue does not have the label. If the issue itself is missing, a later call detects
          // that.
          if (!(error instanceof TrackerError && error.code === 'not_found')) throw error;
        }
      }
      if (add.length > 0) {
        await client.call({ method: 'POST', path, body: { labels: add }, ...about(target) }, signal);
      }
      return toIssue(target.project, await getIssue(client, target, signal));
    },

    async create(project, { title, description, labels: names, assignees }, marker, signal) {
      const call: RestCall = {
        method: 'POST',
        path: `${repositoryPath(project.identifier)}/issues`,
        body: { title, body: withMarker(description, marker), labels: names, assignees },
        ...aboutProject(project),
      };
      return toIssue(project, read(wireIssue, await client.call(call, signal), call));
    },

    async findCreated(project, marker, createdAfter, signal) {
      const { login } = await tokenOwner(client, signal);
      const call = {
        path: `${repositoryPath(project.identifier)}/issues`,
        query: { state: 'all', creator: login, since: secondsOf(createdAfter, CLOCK_DIFFERENCE_MS) },
        ...aboutProject(project),
      };
      const issues = await readAll(client, wireIssue, call, signal);
      const found = issues.find(({ body }) => carriesMarker(body ?? '', marker));
      return found === undefined ? null : toIssue(project, found);
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
      const call = {
        path: `${issuePath(target)}/comments`,
        query: { since: secondsOf(postedAfter, CLOCK_DIFFERENCE_MS) },
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
      // The API requires the database id of the original issue, not its number.
      const { id } = await getIssue(client, original, signal);
      try {
        const close = { state: 'closed', state_reason: 'duplicate', duplicate_issue_id: id };
        return toIssue(target.project, await patchIssue(target, close, signal));
      } catch (error) {
        if (!(error instanceof TrackerError && isUnknownReason(error))) throw error;
        return toIssue(target.project, await patchIssue(target, closed('not_planned'), signal));
      }
    },

    async close(target, reason, signal) {
      return toIssue(target.project, await patchIssue(target, closed(reason), signal));
    },

    async reopen(target, signal) {
      return toIssue(target.project, await patchIssue(target, { state: 'open' }, signal));
    },
  };
}

function closed(reason: CloseReason) {
  return { state: 'closed', state_reason: reason };
}

/** Subtracts `lessMs` from a time and formats it for GitHub, to the second. */
function secondsOf(time: Date, lessMs: number): string {
  return `${new Date(time.getTime() - lessMs).toISOString().slice(0, 19)}Z`;
}

/**
 * True if the request failed because an older Enterprise Server does not support the close reason.
 * Its error then names the field, or only quotes the value `duplicate`.
 */
function isUnknownReason({ code, answer }: TrackerError): boolean {
  return (
    code === 'invalid' && /state_reason|duplicate_issue_id|"duplicate/.test(answer.replaceAll('\\"', '"'))
  );
}
