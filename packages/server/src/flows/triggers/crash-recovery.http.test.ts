import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flow, flowExecutionList } from '@winnow/contract/flow';
import { trackerWebhook } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { registerCaller, signInCaller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { connect, differentIssues, startGitHub, syncAgain, TOKEN, whenSynced } from '../../testing/github.ts';
import { type ServerProcess, startServer } from '../../testing/server-process.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('an event starts its flow once even if the server is killed before matching it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const emulator = await startGitHub(differentIssues(2));
  github = emulator;
  const start = async () => {
    server = await startServer({ dataDir, env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
    return server.url;
  };
  const caller = await registerCaller(await start());
  const { id } = await connect(caller, emulator);
  await whenSynced(caller, id);
  const { url, secret } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
  const config = { url, secret, content_type: 'json' };
  await fetch(`${emulator.apiUrl}/repos/acme/app/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ name: 'web', events: ['issues'], active: true, config }),
  });
  const body = { name: 'Report', builtin_actions: ['report_backlog'], trigger_event_type: 'issue_updated' };
  await caller.send('POST', '/flows', body, flow);

  // Delays the read of the delivered issue, so that its event cannot be matched yet.
  emulator.faults.add({ match: { path: '/issues/2$' }, action: { kind: 'delay', delayMs: 600_000 } });
  emulator.editAs('ada', 'acme', 'app', 2, { title: 'Told before the end' });
  await emulator.deliveries.settled();
  await eventually(() => emulator.faults.list()[0]?.fired === 1, { what: 'the delayed request' });
  await server?.kill();
  emulator.faults.clear();

  const again = await signInCaller(await start(), caller.name, caller.password);
  const started = () => again.get('/flows/executions', flowExecutionList);
  await eventually(async () => (await started()).length > 0);
  await syncAgain(again, id);
  expect(await started()).toMatchObject([
    { trigger_event: { type: 'issue_updated', issue_key: 'acme/app#2', coalesced: 0 } },
  ]);
}, 120_000);
