import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueDetail } from '@winnow/contract/issue-detail';
import { trackerWebhook } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { registerCaller, signInCaller } from '../testing/caller.ts';
import { openDatabaseOf } from '../testing/database-of.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, syncAgain, TOKEN, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

/**
 * Starts a server and connects a GitHub, whose webhook was created manually. Three issues are
 * already read.
 */
async function startWithWebhook() {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const emulator = await startGitHub(differentIssues(3));
  github = emulator;
  const start = async () => {
    server = await startServer({ dataDir, env });
    return server;
  };
  const caller = await registerCaller((await start()).url);
  const { id } = await connect(caller, emulator);
  await whenSynced(caller, id);
  const { url, secret } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
  const config = { url, secret, content_type: 'json' };
  await fetch(`${emulator.apiUrl}/repos/acme/app/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ name: 'web', events: ['issues', 'issue_comment'], active: true, config }),
  });
  await emulator.deliveries.settled();
  const startAgain = async () => signInCaller((await start()).url, caller.name, caller.password);
  return { dataDir, emulator, id, startAgain };
}

test('a server killed after storing a delivery reads its issues after the restart', async () => {
  const { emulator, startAgain } = await startWithWebhook();
  emulator.faults.add({ match: { path: '/issues/2$' }, action: { kind: 'delay', delayMs: 600_000 } });
  emulator.editAs('ada', 'acme', 'app', 2, { title: 'Told before the end' });
  await emulator.deliveries.settled();
  expect(emulator.deliveries.all.map(({ status }) => status)).toEqual([202, 202]);
  await eventually(() => emulator.faults.list()[0]?.fired === 1, { what: 'the request that is held up' });
  await server?.kill();

  emulator.faults.clear();
  // Syncs are blocked, so the server can learn of the edit only from the stored delivery.
  emulator.faults.add({ match: { path: '/issues\\?' }, action: { kind: 'delay', delayMs: 600_000 } });
  const caller = await startAgain();
  await eventually(
    async () => (await caller.get('/issues/acme%2Fapp%232', issueDetail)).title === 'Told before the end',
  );
}, 120_000);

test('changes whose deliveries were lost while the server was down are reported once by the next sync', async () => {
  const { dataDir, emulator, id, startAgain } = await startWithWebhook();
  await server?.kill();
  emulator.editAs('ada', 'acme', 'app', 1, { title: 'Edited meanwhile' });
  emulator.editAs('ada', 'acme', 'app', 2, { state: 'closed' });
  emulator.commentAs('ada', 'acme', 'app', 3, 'Said meanwhile');
  emulator.createIssue('acme', 'app', { title: 'Made meanwhile', body: null });
  await emulator.deliveries.settled();
  const lost = emulator.deliveries.all.filter(({ error }) => error !== null);
  expect(lost).toHaveLength(4);

  const caller = await startAgain();
  await syncAgain(caller, id);
  await syncAgain(caller, id);
  const database = await openDatabaseOf(dataDir);
  const events = async () => {
    const rows = await database.db.selectFrom('tracker_event').selectAll().orderBy('id').execute();
    return rows.map(({ type, source, issue_external_id: on }) => `${source} ${type} ${on}`).sort();
  };
  const missed = ['comment_created 3', 'issue_closed 2', 'issue_opened 4', 'issue_updated 1'];
  try {
    expect(await events()).toEqual(missed.map((event) => `polling ${event}`));
    // Repeats the failed deliveries, as a user can on GitHub's webhook page.
    for (const { url, headers, body } of lost) {
      await fetch(new URL(new URL(url).pathname, server?.url), { method: 'POST', headers, body });
    }
    expect(await events(), 'redelivered').toEqual(missed.map((event) => `webhook ${event}`));
  } finally {
    await database.close();
  }
}, 120_000);
