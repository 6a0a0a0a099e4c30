import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { startGitHubEmulator } from './github/emulator.ts';
import { startGitLabEmulator } from './gitlab/emulator.ts';
import type { Deliveries } from './http/deliveries.ts';
import { plainClient } from './http/plain-client.ts';

const NOBODY = 'http://127.0.0.1:9/';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close();
});

async function startGitHub() {
  const emulator = await startGitHubEmulator({
    seed: {
      users: [{ login: 'ada' }],
      repos: [
        {
          owner: 'acme',
          name: 'app',
          issues: [
            { title: 'An issue', body: null },
            { title: 'A request', body: null, pull_request: true },
          ],
        },
      ],
      tokens: [{ token: 'secret', login: 'acme' }],
    },
  });
  open.push(emulator);
  const ask = plainClient(emulator.url, 'secret');
  const hook = { name: 'web', events: ['*'], active: true, config: { url: NOBODY, content_type: 'json' } };
  await ask('POST', '/repos/acme/app/hooks', hook);
  return { ask, deliveries: emulator.deliveries, issue: 1, request: 2 };
}

async function startGitLab() {
  const emulator = await startGitLabEmulator({
    seed: {
      users: [{ username: 'ada' }],
      groups: [{ full_path: 'acme', members: { ada: 'maintainer' } }],
      projects: [
        {
          path_with_namespace: 'acme/app',
          issues: [{ title: 'An issue' }],
          merge_requests: [{ title: 'A request' }],
        },
      ],
      tokens: [{ token: 'secret', username: 'ada' }],
    },
  });
  open.push(emulator);
  const ask = plainClient(emulator.url, 'secret');
  const hook = { url: NOBODY, push_events: true, merge_requests_events: true };
  await ask('POST', '/api/v4/projects/acme%2Fapp/hooks', hook);
  return { ask, deliveries: emulator.deliveries, issue: 2, request: 1 };
}

const payload = z.object({
  ref: z.string().optional(),
  commits: z.array(z.object({ message: z.string() })).optional(),
  pull_request: z.object({ merged: z.boolean() }).optional(),
  object_attributes: z.object({ action: z.string() }).optional(),
});

async function lastOf(deliveries: Deliveries): Promise<z.infer<typeof payload>> {
  await deliveries.settled();
  return payload.parse(JSON.parse(deliveries.all.at(-1)?.body ?? ''));
}

test.each([
  ['GitHub', startGitHub],
  ['GitLab', startGitLab],
])(
  'a user can push a commit and merge a request on %s over HTTP, which notifies webhooks',
  async (_, start) => {
    const { ask, deliveries, issue, request } = await start();
    const pushed = await ask('POST', '/_emulator/pushes', {
      project: 'acme/app',
      branch: 'next',
      message: 'Fix it',
    });
    expect(pushed).toMatchObject({ status: 201, body: { message: 'Fix it' } });
    expect(await lastOf(deliveries)).toMatchObject({
      ref: 'refs/heads/next',
      commits: [{ message: 'Fix it' }],
    });
    await ask('POST', '/_emulator/pushes', { project: 'acme/app' });
    expect((await lastOf(deliveries)).ref).toBe('refs/heads/main');

    expect((await ask('POST', '/_emulator/merges', { project: 'acme/app', number: request })).status).toBe(
      201,
    );
    const { pull_request: pull, object_attributes: attributes } = await lastOf(deliveries);
    expect(pull?.merged ?? attributes?.action === 'merge').toBe(true);
    const before = (await ask('GET', '/_emulator/state')).body;
    for (const [project, number] of [
      ['acme/app', issue],
      ['acme/none', request],
    ]) {
      expect((await ask('POST', '/_emulator/merges', { project, number })).status).toBe(400);
    }
    expect((await ask('GET', '/_emulator/state')).body, 'nothing happened').toEqual(before);
  },
);
