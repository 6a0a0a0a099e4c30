import { z } from 'zod';
import type { ProviderProject, ProviderWebhooks } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { aboutProject, projectPath } from './api-paths.ts';
import { readAll } from './listing.ts';
import { unlessGone } from './unless-gone.ts';

const wireHook = z.object({ id: z.int(), url: z.string() });

const EVENTS = {
  issues_events: true,
  confidential_issues_events: true,
  note_events: true,
  confidential_note_events: true,
  merge_requests_events: true,
  push_events: true,
};

/** Manages the webhooks of projects. The token's owner must have the maintainer role. */
export function gitLabHooks(client: RestClient): ProviderWebhooks {
  const about = (project: ProviderProject) => ({
    path: `${projectPath(project)}/hooks`,
    subject: `the webhooks of ${aboutProject(project).subject}`,
  });
  return {
    async register(project, { url, secret }, signal) {
      const { path, subject } = about(project);
      // Searches for an existing webhook, because GitLab would register the same URL a second time.
      const there = await readAll(client, wireHook, { path, subject }, signal);
      const known = there.find((hook) => hook.url === url);
      const body = { url, token: secret, enable_ssl_verification: true, ...EVENTS };
      const save: RestCall =
        known === undefined
          ? { method: 'POST', path, body, subject }
          : { method: 'PUT', path: `${path}/${known.id}`, body, subject };
      const { data } = await client.call(save, signal);
      return String(readAs(wireHook, data, client.address.name, subject).id);
    },

    async remove(project, hookId, signal) {
      const { path, subject } = about(project);
      const call: RestCall = { method: 'DELETE', path: `${path}/${encodeURIComponent(hookId)}`, subject };
      await unlessGone(client.call(call, signal));
    },
  };
}
