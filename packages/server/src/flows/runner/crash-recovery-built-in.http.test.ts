import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeList } from '@winnow/contract/change';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { registerCaller, signInCaller } from '../../testing/caller.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../../testing/github.ts';
import { type ServerProcess, startServer } from '../../testing/server-process.ts';
import { logsOf, newFlow, runFlow, whenExecution } from '../testing/flow-setup.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('a built-in action killed between two writes reports and records each write once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const issues = differentIssues(4).map((issue, index) =>
    index === 0 ? { ...issue, body: 'Blocked by #2. Blocked by #3. Blocked by #4.' } : issue,
  );
  const emulator = await startGitHub(issues);
  github = emulator;
  server = await startServer({ dataDir, env });
  const caller = await registerCaller(server.url);
  await whenSynced(caller, (await connect(caller, emulator)).id);
  const builtIn = { write_mode: 'apply', builtin_actions: ['find_dependencies'] };
  const { id: flowId } = await newFlow(caller, null, builtIn);

  // The tracker stores the second link, but its response never arrives.
  const match = { method: 'POST', path: '/dependencies/blocked_by$' };
  emulator.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 50 } });
  emulator.faults.add({
    match,
    times: 1,
    action: { kind: 'slow', chunkBytes: 1, intervalMs: 600_000 },
  });
  const { id } = await runFlow(caller, flowId);
  await emulator.requests.waitFor(({ fault }) => fault === 'slow', 60_000);
  await server.kill();
  emulator.faults.clear();
  server = await startServer({ dataDir, env });
  const later = await signInCaller(server.url, caller.name, caller.password);

  const execution = await whenExecution(later, id);
  const blockers = ['acme/app#2', 'acme/app#3', 'acme/app#4'];
  expect(execution.status).toBe('SUCCEEDED');
  expect(execution.result?.split('\n').toSorted()).toEqual(
    blockers.map((key) => `${key} blocks acme/app#1.`),
  );
  const { changes } = await later.get('/changes', changeList);
  expect(changes.map(({ status, title }) => [status, title]).toSorted()).toEqual(
    blockers.map((key) => ['applied', `${key} blocks acme/app#1.`]),
  );
  expect(execution.change_ids.toSorted()).toEqual(changes.map((change) => change.id).toSorted());
  expect(execution.actions_taken_summary).toHaveLength(3);
  const repo = emulator.state().repos.find(({ full_name }) => full_name === 'acme/app');
  expect(repo?.issues.find(({ number }) => number === 1)?.blocked_by.toSorted()).toEqual(blockers);
  const types = (await logsOf(later, id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'event')).toHaveLength(1);
  expect(types.filter((type) => type === 'change')).toHaveLength(3);
}, 180_000);
