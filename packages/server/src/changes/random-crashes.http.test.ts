import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { changeList } from '@winnow/contract/change';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, expect, test } from 'vitest';
import { type Caller, registerCaller, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

/**
 * Number of times the server is killed. Each kill interrupts one merge per account, each merge at a
 * different point.
 */
const KILLS = 5;
const ACCOUNTS = 4;
/**
 * Response time of the tracker in milliseconds. It makes a merge last long enough to be interrupted
 * at any point.
 */
const ANSWER_MS = 20;
/**
 * First request at which a merge is interrupted. A merge makes thirteen requests; the first three
 * precede saving.
 */
const FIRST = 4;
const LAST = 12;

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

/**
 * Returns a seeded generator of numbers in [0, 1) (mulberry32). It yields the same numbers in every
 * run.
 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('twenty merges whose server is killed at random moments are each done completely and once, or not begun', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const emulator = await startGitHub(differentIssues(2 * KILLS * ACCOUNTS));
  github = emulator;
  const first = await startServer({ dataDir, env });
  server = first;
  let callers = await Promise.all(Array.from({ length: ACCOUNTS }, () => registerCaller(first.url)));
  for (const caller of callers) await whenSynced(caller, (await connect(caller, emulator)).id);
  emulator.faults.add({ match: {}, action: { kind: 'delay', delayMs: ANSWER_MS } });
  const random = randomOf(20);
  let begun = 0;

  for (let kill = 0; kill < KILLS; kill += 1) {
    const merges = await Promise.all(
      callers.map((caller, account) => mergeOf(emulator, caller, kill * ACCOUNTS + account)),
    );
    emulator.requests.clear();
    const merging = merges.map(async ({ begin }) => {
      await pause(random() * 4 * ANSWER_MS);
      await begin().catch(() => undefined);
    });
    const last = ACCOUNTS * (FIRST + random() * (LAST - FIRST));
    await emulator.requests.waitFor(() => emulator.requests.all().length >= last);
    await pause(random() * ANSWER_MS);
    await server.kill();
    await Promise.all(merging);

    const restarted = await startServer({ dataDir, env });
    server = restarted;
    callers = await Promise.all(
      callers.map(({ name, password }) => signInCaller(restarted.url, name, password)),
    );
    for (const [account, { expectWholeOrNothing }] of merges.entries()) {
      const caller = callers[account];
      if (caller && (await expectWholeOrNothing(caller))) begun += 1;
    }
  }
  // At least half of the merges must have been interrupted while they were written. Otherwise the
  // test proves nothing.
  expect(begun).toBeGreaterThanOrEqual((KILLS * ACCOUNTS) / 2);
}, 240_000);

/** Merges two issues that no other merge writes to. */
async function mergeOf(emulator: GitHubEmulator, caller: Caller, pair: number) {
  const [target, source] = [2 * pair + 1, 2 * pair + 2];
  const look = (number: number) => emulator.issue('acme', 'app', number);
  const idOf = async (number: number) => (await caller.get(`/issues/acme%2Fapp%23${number}`, issueDetail)).id;
  const before = { target: look(target), source: look(source) };
  const texts = {
    title: `Both ${target} and ${source}`,
    body: `What ${target} says.\n\nWhat ${source} says.`,
  };
  const payload = {
    issue1_id: await idOf(target),
    issue2_id: await idOf(source),
    resolution: 'merge_b_to_a',
    resulting_issue_1_title: texts.title,
    resulting_issue_1_description: texts.body,
  };
  return {
    begin: () => caller.call('PATCH', '/issue-duplicates/execute-resolution', payload),
    /**
     * Waits until no change is being applied. Returns true if the merge has begun. Checks that a
     * merge that has begun is complete.
     */
    async expectWholeOrNothing(reader: Caller): Promise<boolean> {
      const changes = await eventually(async () => {
        const list = await reader.get('/changes?limit=100', changeList);
        return list.changes.every(({ status }) => status !== 'applying') && list.changes;
      });
      const change = changes.find(({ issue_keys }) => issue_keys.includes(`acme/app#${source}`));
      if (change === undefined) {
        expect({ target: look(target), source: look(source) }).toEqual(before);
        return false;
      }
      expect(change).toMatchObject({ status: 'applied' });
      expect(look(target)).toMatchObject({ ...texts, state: 'open' });
      expect(look(source)).toMatchObject({ state: 'closed', duplicate_of: `acme/app#${target}` });
      for (const [on, named] of [
        [target, source],
        [source, target],
      ] as const) {
        const { comments } = look(on);
        expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(`acme/app#${named}`)]);
      }
      return true;
    },
  };
}
