import { z } from 'zod';
import { type ProviderProject, type ProviderWebhooks, TrackerError } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { aboutProject, repositoryPath } from './api-paths.ts';
import { readAll } from './listing.ts';

/** GitHub events that the webhook delivers. */
const EVENTS = ['issues', 'issue_comment', 'pull_request', 'push'];

const wireHook = z.object({ id: z.int(), config: z.object({ url: z.string().optional() }) });

/** Manages the webhooks of a repository. */
export function gitHubHooks(client: RestClient): ProviderWebhooks {
  const subject = (project: ProviderProject) => `the webhooks of the repository ${project.identifier}`;
  const about = (project: ProviderProject) => ({ ...aboutProject(project), subject: subject(project) });
  const path = (project: ProviderProject) => `${repositoryPath(project.identifier)}/hooks`;

  return {
    async register(project, { url, secret }, signal) {
      const hook = { events: EVENTS, active: true, config: { url, secret, content_type: 'json' } };
      const own = await hooks(project, signal);
      const known = own.find(({ config }) => config.url === url);
      const call: RestCall =
        known === undefined
          ? { method: 'POST', path: path(project), body: { name: 'web', ...hook }, ...about(project) }
          : { method: 'PATCH', path: `${path(project)}/${known.id}`, body: hook, ...about(project) };
      const { data } = await client.call(call, signal);
      return String(readAs(wireHook, data, client.address.name, call.subject).id);
    },

    async remove(project, hookId, signal) {
      const call: RestCall = {
        method: 'DELETE',
        path: `${path(project)}/${encodeURIComponent(hookId)}`,
        ...about(project),
      };
      try {
        await client.call(call, signal);
      } catch (error) {
        if (!(error instanceof TrackerError && error.code === 'not_found')) throw error;
      }
    },
  };

  /**
   * Lists the webhooks of a project. GitHub returns 404 if the token may not see them, so a 404
   * becomes `forbidden`.
   */
  async function hooks(project: ProviderProject, signal: AbortSignal) {
    try {
      return await readAll(client, wireHook, { path: path(project), ...about(project) }, signal);
    } catch (error) {
      if (!(error instanceof TrackerError && error.code === 'not_found')) throw error;
      const { name } = client.address;
      const sentence = `This token is not allowed to access ${subject(project)} in ${name}.`;
      throw new TrackerError('forbidden', sentence, { cause: error });
    }
  }
}
