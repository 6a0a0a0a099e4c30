import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueDetail } from '@winnow/contract/issue-detail';
import { trackerWebhook } from '@winnow/contract/tracker';
import { afterEach, expect, test } from 'vitest';
import type { GitHubEmulator } from '../../../../tools/emulators/github/emulator.ts';
import { type ServerProcess, startServer } from '../../../../tools/product/server-process.ts';
import { registerCaller, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, TOKEN, whenSynced } from '../testing/github.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('a server that is killed between taking a delivery in and reading what it names reads it after its start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  github = await startGitHub(differentIssues(3));
  server = await startServer({ dataDir, env });
  const before = await registerCaller(server.url);
  const { id } = await connect(before, github);
  await whenSynced(before, id);
  const { url, secret } = await before.get(`/trackers/${id}/webhook`, trackerWebhook);
  const hook = {
    name: 'web',
    events: ['issues'],
    active: true,
    config: { url, secret, content_type: 'json' },
  };
  await fetch(`${github.apiUrl}/repos/acme/app/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(hook),
  });
  github.faults.add({ match: { path: '/issues/2$' }, action: { kind: 'delay', delayMs: 600_000 } });
  github.editAs('ada', 'acme', 'app', 2, { title: 'Told before the end' });
  await github.deliveries.settled();
  expect(github.deliveries.all.map(({ status }) => status)).toEqual([202, 202]);
  await eventually(() => github?.faults.list()[0]?.fired === 1, { what: 'the request that is held up' });
  await server.kill();

  github.faults.clear();
  // No sync finds the edit: only what the delivery left behind.
  github.faults.add({ match: { path: '/issues\\?' }, action: { kind: 'delay', delayMs: 600_000 } });
  server = await startServer({ dataDir, env });
  const caller = await signInCaller(server.url, before.name, before.password);
  await eventually(
    async () => (await caller.get('/issues/acme%2Fapp%232', issueDetail)).title === 'Told before the end',
  );
}, 120_000);
