import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeList } from '@winnow/contract/change';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { type Caller, registerCaller, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('a server killed after the tracker created an issue or a comment does not create it again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const emulator = await startGitHub(differentIssues(1));
  github = emulator;
  server = await startServer({ dataDir, env });
  let caller: Caller = await registerCaller(server.url);
  await whenSynced(caller, (await connect(caller, emulator)).id);
  const { key } = await newKey(caller);
  let agent: Agent = await connectAgent(server.url, key);

  /**
   * Runs `act`, and kills the server after the tracker has performed the request to `path`. Then
   * restarts the server.
   */
  const killAfter = async (path: string, act: () => Promise<unknown>) => {
    // The tracker performs the request, but its response never arrives.
    const action = { kind: 'slow', chunkBytes: 1, intervalMs: 600_000 } as const;
    emulator.faults.add({ match: { method: 'POST', path }, times: 1, action });
    const acted = act().catch(() => undefined);
    await emulator.requests.waitFor(({ fault }) => fault === 'slow', 40_000);
    await server?.kill();
    await acted;
    emulator.faults.clear();
    emulator.requests.clear();
    server = await startServer({ dataDir, env });
    caller = await signInCaller(server.url, caller.name, caller.password);
    agent = await connectAgent(server.url, key);
  };
  const newest = () =>
    eventually(async () => {
      const [only] = (await caller.get('/changes?limit=1', changeList)).changes;
      return only && only.status !== 'applying' && only;
    });
  const draft = {
    project: 'acme/app',
    title: 'The kettle whistles',
    idempotency_key: 'kettle',
    allow_duplicate: true,
  };

  await killAfter('/repos/acme/app/issues$', () => agent.use('create_issue', draft));
  expect(await newest()).toMatchObject({ kind: 'mcp', status: 'applied', issue_keys: ['acme/app#2'] });
  expect(await agent.use('create_issue', draft)).toMatchObject({
    status: 'applied',
    issue_key: 'acme/app#2',
  });
  expect(emulator.state().repos[0]?.issues).toHaveLength(2);
  expect(emulator.requests.matching('POST', /\/issues$/)).toEqual([]);

  await killAfter('/issues/2/comments$', () =>
    agent.use('comment_on_issue', { issue: 'acme/app#2', comment: 'Still.' }),
  );
  expect(await newest()).toMatchObject({ kind: 'mcp', status: 'applied', title: 'Commented on acme/app#2.' });
  expect(emulator.issue('acme', 'app', 2).comments).toEqual([
    expect.objectContaining({ body: expect.stringContaining('Still.') }),
  ]);
}, 120_000);
