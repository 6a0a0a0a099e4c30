import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type Caller, registerCaller, signInCaller } from '../testing/caller.ts';
import { connect, differentIssues, startGitHub, syncAgain, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';
import { runCommand } from './testing/run-command.ts';

const ISSUES = 3;

let folder: string;
let github: GitHubEmulator;
let server: ServerProcess | null = null;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-embedded-backup-'));
  github = await startGitHub(differentIssues(ISSUES));
});
afterAll(async () => {
  await server?.stop();
  await github.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (dataDir: string): Promise<string> => {
  server = await startServer({ dataDir, env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  return server.url;
};
const issuesOf = (caller: Caller) =>
  Promise.all(
    Array.from({ length: ISSUES }, async (_, index) => {
      const path = `/issues/${encodeURIComponent(`acme/app#${index + 1}`)}`;
      const { id, key, title, description } = await caller.get(path, issueDetail);
      return { id, key, title, description };
    }),
  );

test('restores an embedded database into a new folder, and into a separate PostgreSQL', async () => {
  const dataDir = join(folder, 'data');
  const caller = await registerCaller(await start(dataDir));
  const { id } = await connect(caller, github);
  await whenSynced(caller, id);
  const before = await issuesOf(caller);
  const file = join(folder, 'winnow.backup');
  expect((await runCommand(['backup', file, '--with-key'], { dataDir })).code).toBe(0);
  await server?.stop();
  rmSync(dataDir, { recursive: true });

  const other = await createEmptyTestDatabase();
  try {
    const [embedded, elsewhere] = await Promise.all([
      runCommand(['restore', file], { dataDir }),
      runCommand(['restore', file], { dataDir: join(folder, 'other'), database: other as TestDatabase }),
    ]);
    expect([embedded.code, elsewhere.code], embedded.errors + elsewhere.errors).toEqual([0, 0]);
    const { rows } = await other.pool.query('select id, key, title, description from issue order by key');
    expect(rows).toEqual(before);
  } finally {
    await other.drop();
  }

  const again = await signInCaller(await start(dataDir), caller.name, caller.password);
  expect(await issuesOf(again)).toEqual(before);
  // The sync requires the tracker's token, and thus the key from the backup.
  expect((await syncAgain(again, id)).sync).toMatchObject({ issues: ISSUES, last_error: null });
}, 120_000);
