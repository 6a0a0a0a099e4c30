import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeList } from '@winnow/contract/change';
import { clusterList, clusterResolved } from '@winnow/contract/cluster';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type Caller, registerCaller, signInCaller } from '../testing/caller.ts';
import { openDatabaseOf } from '../testing/database-of.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

/** Number of issues to close. With `CLUSTER_MEMBERS=200`, the test takes a minute longer. */
const MEMBERS = Number(process.env.CLUSTER_MEMBERS ?? 50);
/** Numbers of two issues. The server is killed while it closes each of them. */
const KILLED_AT = [0.3, 0.7].map(memberAt);
/** Issue numbers at which the tracker's rate limit is reached. */
const LIMITED_AT = [0.12, 0.5, 0.84].map(memberAt);

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await github?.close();
});

test('a server killed twice while it closes a cluster under rate limits closes each issue exactly once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const emulator = await startGitHub(differentIssues(MEMBERS + 1));
  github = emulator;
  server = await startServer({ dataDir, env, timeoutMs: 240_000 });
  let caller: Caller = await registerCaller(server.url);
  await whenSynced(caller, (await connect(caller, emulator)).id);
  await putTogether(dataDir);
  const { clusters } = await caller.get('/clusters?status=all&probability_threshold=0', clusterList);
  const [pile] = clusters;
  expect(pile?.size).toBe(MEMBERS + 1);

  const restart = async () => {
    await server?.kill();
    server = await startServer({ dataDir, env, timeoutMs: 240_000 });
    caller = await signInCaller(server.url, caller.name, caller.password);
  };
  const closesOf = (number: number) => ({ method: 'PATCH', path: `/issues/${number}$` });
  for (const number of LIMITED_AT) {
    const action = { kind: 'secondary-limit', retryAfterSeconds: 1 } as const;
    emulator.faults.add({ match: closesOf(number), times: 1, action });
  }
  for (const number of KILLED_AT) {
    // The tracker performs the request, but its response never arrives.
    const action = { kind: 'slow', chunkBytes: 1, intervalMs: 600_000 } as const;
    emulator.faults.add({ match: closesOf(number), times: 1, action });
  }
  emulator.requests.clear();
  const begun = caller
    .send('POST', `/clusters/${pile?.id}/resolve`, { revision: pile?.revision }, clusterResolved)
    .catch(() => undefined);
  for (const number of KILLED_AT) {
    const isHeld = ({ fault, path }: { fault: string | null; path: string }) =>
      fault === 'slow' && path.includes(`/issues/${number}`);
    await emulator.requests.waitFor(isHeld, 240_000);
    await restart();
  }
  await begun;

  const change = await eventually(
    async () => {
      const [only] = (await caller.get('/changes?limit=1', changeList)).changes;
      return only && only.status !== 'applying' ? only : null;
    },
    { timeoutMs: 240_000, what: 'the change to be applied' },
  );
  expect(change).toMatchObject({ kind: 'cluster', status: 'applied' });
  for (let number = 2; number <= MEMBERS + 1; number += 1) {
    const { state, duplicate_of, comments } = emulator.issue('acme', 'app', number);
    expect({ number, state, duplicate_of, comments: comments.length }).toEqual({
      number,
      state: 'closed',
      duplicate_of: 'acme/app#1',
      comments: 1,
    });
  }
  const { state, comments } = emulator.issue('acme', 'app', 1);
  expect(state).toBe('open');
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body.split('\n').filter((line) => line.startsWith('- acme/app#'))).toHaveLength(
    MEMBERS,
  );
  const decided = await caller.get(`/clusters?status=decided&probability_threshold=0`, clusterList);
  expect(decided.total).toBe(1);
}, 900_000);

/**
 * Returns the issue number at a given share of the cluster, from 0 to 1. Number 1 is the canonical
 * issue.
 */
function memberAt(share: number): number {
  return 1 + Math.round(MEMBERS * share);
}

/** Puts all issues into one cluster, by the overrides that including each issue would create. */
async function putTogether(dataDir: string): Promise<void> {
  const { db, close } = await openDatabaseOf(dataDir);
  try {
    await sql`
      with pile as (
        insert into cluster (account_id, id, name, canonical_reasons, probability)
        select account_id, gen_random_uuid(), 'Pile', '{}', 1 from issue limit 1
        returning account_id, id
      ),
      oldest as (select account_id, id from issue order by created_at limit 1),
      members as (
        insert into cluster_member (account_id, issue_id, cluster_id)
        select issue.account_id, issue.id, pile.id from issue, pile
      )
      insert into cluster_override (account_id, issue_a, issue_b, type, decided_by, decided_at)
      select issue.account_id, least(issue.id, oldest.id), greatest(issue.id, oldest.id), 'must', 'Ada', now()
      from issue, oldest where issue.id <> oldest.id
    `.execute(db);
    await sql`update cluster set proposed_canonical = (select id from issue order by created_at limit 1)`.execute(
      db,
    );
  } finally {
    await close();
  }
}
