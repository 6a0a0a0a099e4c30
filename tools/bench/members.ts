import { memberPage, workspaceList } from '@winnow/contract/workspace';
import { sql } from 'kysely';
import { findSessionIn } from '../../packages/server/src/accounts/session-store.ts';
import { prepared } from '../../packages/server/src/platform/database.ts';
import type { Db } from '../../packages/server/src/schema/tables.ts';
import { openDatabaseOf } from '../../packages/server/src/testing/database-of.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { emitTimes, hundredths, percentiles } from './shared/times.ts';

const MEMBERS = 10_000;
const WORKSPACES = 1_000;
const REQUESTS = 200;
const CHECKS = 2_000;

/**
 * Measures the list of members in a workspace with 10,000 members, for a user with 1,000
 * workspaces. Also measures what the check of a permission adds to the look-up of the session,
 * which each request needs anyway.
 */
export async function run(emit: Emit): Promise<void> {
  const server = await startServer({});
  const { db, close } = await openDatabaseOf(server.dataDir);
  try {
    const owner = await registerAndSignIn(server.url, 'owner');
    await sql`
      with me as (select id, account_id from app_user limit 1),
        homes as (insert into account (id) select gen_random_uuid() from generate_series(2, ${MEMBERS}) returning id),
        users as (
          insert into app_user (account_id, id, username, email, state)
          select id, gen_random_uuid(), 'user-' || id, id || '@example.com', 'active' from homes
          returning id
        )
      insert into member (account_id, user_id, role)
      select me.account_id, users.id, 'viewer' from users, me
    `.execute(db);
    await sql`
      with me as (select id from app_user order by created_at limit 1),
        more as (
          insert into account (id, name)
          select gen_random_uuid(), 'Workspace ' || n from generate_series(2, ${WORKSPACES}) n returning id
        )
      insert into member (account_id, user_id, role) select more.id, me.id, 'owner' from more, me
    `.execute(db);
    await sql`analyze`.execute(db);
    const pages = [
      ['members, first page', '/members', memberPage],
      ['members, last page', '/members?skip=9950', memberPage],
      ['members, search', '/members?search=user-a1', memberPage],
      ['workspaces of a user', '/workspaces', workspaceList],
    ] as const;
    for (const [name, path, schema] of pages) {
      const times = await timesOf(async () => void (await owner.get<unknown>(path, schema)));
      emitTimes(emit, name, times, { members: MEMBERS, workspaces: WORKSPACES });
    }
    await measureChecks(emit, db);
  } finally {
    await close();
    await server.remove();
  }
}

/** Compares the look-up of a session with the role of its user to the look-up without it. */
async function measureChecks(emit: Emit, db: Db): Promise<void> {
  const { account_id: homeId, id: sessionId } = await db
    .selectFrom('session')
    .select(['account_id', 'id'])
    .executeTakeFirstOrThrow();
  const withRole = async () => void (await findSessionIn(db, { homeId, sessionId, accountId: homeId }));
  const withoutRole = async () =>
    void (await sql`
      ${prepared} select id from session
      where account_id = ${homeId} and id = ${sessionId} and revoked_at is null
    `.execute(db));
  const checked: number[] = [];
  const unchecked: number[] = [];
  for (let index = 0; index < CHECKS; index += 1) {
    checked.push(...(await timesOf(withRole, 1)));
    unchecked.push(...(await timesOf(withoutRole, 1)));
  }
  emitTimes(emit, 'look-up of a session with its role', checked, {});
  emitTimes(emit, 'look-up of a session without its role', unchecked, {});
  const added = percentiles(checked).p95 - percentiles(unchecked).p95;
  emit({ name: 'a check of the permission adds, p95', value: hundredths(added), unit: 'ms' });
}

async function timesOf(call: () => Promise<void>, requests = REQUESTS): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < requests; index += 1) {
    const startedMs = performance.now();
    await call();
    times.push(performance.now() - startedMs);
  }
  return times;
}
