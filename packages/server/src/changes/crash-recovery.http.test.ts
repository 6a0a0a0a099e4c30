import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Change, change, changeList } from '@winnow/contract/change';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { type Caller, registerCaller, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('a server killed at any step of a change completes it after a restart, and does nothing twice', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const emulator = await startGitHub(differentIssues(2));
  github = emulator;
  server = await startServer({ dataDir, env });
  let caller: Caller = await registerCaller(server.url);
  const { id } = await connect(caller, emulator);
  await whenSynced(caller, id);
  const [first, second] = await Promise.all(
    [1, 2].map((number) => caller.get(`/issues/acme%2Fapp%23${number}`, issueDetail)),
  );

  /** Starts `act`, and kills the server while the server waits for the tracker's response. */
  const killDuring = async (
    method: string,
    path: string,
    act: () => Promise<unknown> = async () => undefined,
  ) => {
    // The tracker performs the request, but its response does not arrive.
    const action = { kind: 'slow', chunkBytes: 1, intervalMs: 600_000 } as const;
    emulator.faults.clear();
    emulator.faults.add({ match: { method, path }, times: 1, action });
    const acted = act().catch(() => undefined);
    await emulator.requests.waitFor(({ fault, method: seen }) => fault === 'slow' && seen === method, 40_000);
    await server?.kill();
    await acted;
    emulator.requests.clear();
  };
  const restart = async () => {
    server = await startServer({ dataDir, env });
    caller = await signInCaller(server.url, caller.name, caller.password);
  };
  const newest = () =>
    eventually(async (): Promise<Change | null> => {
      const [only] = (await caller.get('/changes?limit=1', changeList)).changes;
      return only && only.status !== 'applying' ? only : null;
    });
  const writes = () => emulator.requests.all().filter(({ method }) => method !== 'GET').length;

  await killDuring('POST', '/issues/2/comments$', () =>
    caller.call('PATCH', '/issue-duplicates/execute-resolution', {
      issue1_id: first?.id,
      issue2_id: second?.id,
      resolution: 'close_b',
    }),
  );
  await killDuring('PATCH', '/issues/2$', restart);
  await restart();
  const applied = await newest();
  expect(applied).toMatchObject({ kind: 'resolution', status: 'applied' });
  expect(writes()).toBe(0);
  const closed = emulator.issue('acme', 'app', 2);
  expect(closed).toMatchObject({ state: 'closed', state_reason: 'duplicate', duplicate_of: 'acme/app#1' });
  expect(closed.comments.map(({ body }) => body)).toEqual([expect.stringContaining('acme/app#1')]);
  expect(emulator.issue('acme', 'app', 1).comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('acme/app#2'),
  ]);

  await killDuring('DELETE', '/issues/comments/', () => caller.call('POST', `/changes/${applied.id}/undo`));
  await restart();
  expect(await newest()).toMatchObject({ kind: 'undo', status: 'applied' });
  expect((await caller.get(`/changes/${applied.id}`, change)).status).toBe('undone');
  for (const number of [1, 2]) {
    expect(emulator.issue('acme', 'app', number)).toMatchObject({ state: 'open', comments: [] });
  }
}, 120_000);
