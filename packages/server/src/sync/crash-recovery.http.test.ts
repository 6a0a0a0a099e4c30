import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueDetail } from '@winnow/contract/issue-detail';
import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { totalUsage } from '../billing/testing/total-usage.ts';
import { findCluster } from '../platform/embedded-postgres/cluster.ts';
import { readPostmasterFile } from '../platform/embedded-postgres/postmaster-file.ts';
import { type Caller, call, registerCaller, signInCaller } from '../testing/caller.ts';
import { openDatabaseOf } from '../testing/database-of.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenCompared, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

const ISSUES = 230;
let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('a sync resumes after its server or database is killed, and counts each issue once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const emulator = await startGitHub(
    differentIssues(ISSUES).map((issue, index) =>
      index % 10 === 0 ? { ...issue, comments: [{ user: 'bob', body: `comment ${index}` }] } : issue,
    ),
  );
  github = emulator;
  const hold = (path: string) => {
    emulator.faults.clear();
    emulator.faults.add({ match: { path }, times: 1, action: { kind: 'delay', delayMs: 600_000 } });
  };
  const killWhenHeld = async () => {
    await eventually(() => emulator.faults.list()[0]?.fired === 1, { what: 'the request that is held up' });
    await server?.kill();
  };
  server = await startServer({ dataDir, env });
  let caller: Caller = await registerCaller(server.url);
  hold('/issues\\?.*since');
  const { id } = await connect(caller, emulator);
  await killWhenHeld();

  hold('/issues/comments');
  server = await startServer({ dataDir, env });
  caller = await signInCaller(server.url, caller.name, caller.password);
  const { sync } = await caller.get(`/trackers/${id}`, tracker);
  expect(sync.issues, 'earlier pages are stored while reading continues').toBeGreaterThanOrEqual(100);
  await killWhenHeld();

  // Second case: the database is killed and restarted, while the server keeps running.
  emulator.faults.clear();
  const action = { kind: 'delay', delayMs: 1_000 } as const;
  emulator.faults.add({ match: { path: '/issues/comments' }, times: 1, action });
  server = await startServer({ dataDir, env });
  await eventually(() => emulator.faults.list()[0]?.fired === 1, { what: 'the request that is held up' });
  const postmaster = readPostmasterFile(findCluster(dataDir) ?? '');
  process.kill(postmaster?.pid ?? Number.NaN, 'SIGKILL');
  const { url } = server;
  await eventually(async () => (await call(url, 'GET', '/readyz')).status === 200);
  caller = await signInCaller(url, caller.name, caller.password);
  expect((await whenSynced(caller, id)).sync).toMatchObject({ issues: ISSUES, last_error: null });
  await whenCompared(caller);
  for (const number of [1, 111, 221]) {
    const { comments } = await caller.get(`/issues/acme%2Fapp%23${number}`, issueDetail);
    expect(comments.map(({ body }) => body)).toEqual([`comment ${number - 1}`]);
  }
  // Ignores responses with status 304: they are requests for pages that had not changed.
  const pages = emulator.requests
    .all()
    .filter(({ path, status, fault }) => status === 200 && fault === null && /\/app\/issues/.test(path))
    .map(({ url }) => url);
  expect(new Set(pages).size).toBe(pages.length);

  const account_id = await caller.accountId();
  const database = await openDatabaseOf(dataDir);
  try {
    expect(await totalUsage(database.db, account_id, 'issues_ingested')).toBe(ISSUES);
    expect(await totalUsage(database.db, account_id, 'issues_processed')).toBe(ISSUES);
  } finally {
    await database.close();
  }
}, 120_000);
