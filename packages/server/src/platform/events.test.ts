import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Events, openEvents } from './events.ts';
import { openLog } from './log.ts';
import { migrate } from './migrate.ts';
import { createEmptyTestDatabase, type TestDatabase } from './testing/database.ts';

type TestEvent = { type: string; n?: number; text?: string };

const log = openLog({ level: 'silent' });
let database: TestDatabase<unknown>;
/** Two event buses on one database, as in two processes. */
let here: Events<TestEvent>;
let there: Events<TestEvent>;

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  await migrate({ connection: database.connection, migrations: {}, log });
});
beforeEach(async () => {
  const { db, connection } = database;
  here = await openEvents<TestEvent>({ connection, db, log });
  there = await openEvents<TestEvent>({ connection, db, log });
});
afterEach(async () => {
  await here.close();
  await there.close();
});
afterAll(() => database.drop());

/**
 * Subscribes to an account's events on one of the two buses. The result can wait for a number of
 * events.
 */
async function listen(events: Events<TestEvent>, accountId: string) {
  const got: [TestEvent, number][] = [];
  let missed = 0;
  let check: () => void = () => undefined;
  const stop = events.subscribe(
    accountId,
    (event, sequence) => {
      got.push([event, sequence]);
      check();
    },
    {
      onMissed: () => {
        missed += 1;
        check();
      },
    },
  );
  await events.listening(accountId);
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (holds()) resolve();
      };
      check();
    });
  return {
    got,
    stop,
    missed: () => missed,
    untilCount: (count: number) => until(() => got.length >= count),
    untilMissed: () => until(() => missed > 0),
  };
}

async function listenerPids(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'winnow events'
  `.execute(database.db);
  return rows.map((row) => row.pid);
}

/**
 * Cuts the database connections of all listeners, and waits until each listener has a new
 * connection.
 */
async function cutConnections(): Promise<void> {
  const before = await listenerPids();
  await sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) as pid`.execute(database.db);
  for (;;) {
    const now = await listenerPids();
    if (now.length === before.length && now.every((pid) => !before.includes(pid))) return;
  }
}

describe('an event', () => {
  test('of another account is not delivered', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    const heard = await listen(here, mine);
    await there.publish(other, { type: 'secret' });
    await there.publish(mine, { type: 'mine' });
    await heard.untilCount(1);
    expect(heard.got).toEqual([[{ type: 'mine' }, 1]]);
  });

  test('in a rolled-back transaction is not delivered and leaves no gap', async () => {
    const account = randomUUID();
    const heard = await listen(here, account);
    const work = database.db.transaction().execute(async (transaction) => {
      await there.publish(account, { type: 'undone' }, { db: transaction });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await there.publish(account, { type: 'done' });
    await heard.untilCount(1);
    expect(heard.got).toEqual([[{ type: 'done' }, 1]]);
    expect(heard.missed()).toBe(0);
  });

  test('that is too large is refused, naming its type', async () => {
    const big = { type: 'big', text: 'x'.repeat(7_000) };
    await expect(here.publish(randomUUID(), big)).rejects.toThrow(/type big is too large/);
  });

  test('for an invalid account id is refused, which prevents SQL injection', async () => {
    expect(() => here.subscribe('x; drop table account', () => undefined)).toThrow(TypeError);
    await expect(here.publish('x; drop table account', { type: 'a' })).rejects.toThrow(TypeError);
  });

  test('is delivered to every process in commit order, numbered without gaps', async () => {
    const account = randomUUID();
    const [near, far] = [await listen(here, account), await listen(there, account)];
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => (n % 2 ? here : there).publish(account, { type: 'tick', n })),
    );
    await near.untilCount(30);
    await far.untilCount(30);
    expect(near.got.map(([, sequence]) => sequence)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(far.got).toEqual(near.got);
    expect(near.missed() + far.missed()).toBe(0);
  });
});

describe('a listener', () => {
  test('that throws does not affect the others', async () => {
    const account = randomUUID();
    here.subscribe(account, () => {
      throw new Error('broken');
    });
    const heard = await listen(here, account);
    await there.publish(account, { type: 'a' });
    await heard.untilCount(1);
    expect(heard.got).toHaveLength(1);
  });

  test('that unsubscribed receives nothing more, while the others do', async () => {
    const account = randomUUID();
    const [leaving, staying] = [await listen(here, account), await listen(here, account)];
    leaving.stop();
    leaving.stop();
    await there.publish(account, { type: 'a' });
    await staying.untilCount(1);
    expect(leaving.got).toEqual([]);
    staying.stop();
    const again = await listen(here, account);
    await there.publish(account, { type: 'b' });
    await again.untilCount(1);
    expect(again.got).toEqual([[{ type: 'b' }, 2]]);
  });

  test('with a cut connection receives events again, and is notified only if some were missed', async () => {
    const [account, quiet] = [randomUUID(), randomUUID()];
    const [heard, undisturbed] = [await listen(here, account), await listen(here, quiet)];
    for (const id of [account, quiet]) await there.publish(id, { type: 'before' });
    await heard.untilCount(1);
    await undisturbed.untilCount(1);
    // Simulates an event that was published while the listener was disconnected: only the counter
    // changes.
    await sql`update event_sequence set last_sequence = last_sequence + 1 where account_id = ${account}`.execute(
      database.db,
    );
    await cutConnections();
    await heard.untilMissed();
    for (const id of [account, quiet]) {
      await here.listening(id);
      await there.publish(id, { type: 'after' });
    }
    await heard.untilCount(2);
    await undisturbed.untilCount(2);
    expect(heard.got.at(-1)).toEqual([{ type: 'after' }, 3]);
    expect(undisturbed.got.at(-1)).toEqual([{ type: 'after' }, 2]);
    expect([heard.missed(), undisturbed.missed()]).toEqual([1, 0]);
  });

  test('can be closed during a reconnect', async () => {
    for (const pid of await listenerPids()) {
      await sql`select pg_terminate_backend(${pid})`.execute(database.db);
    }
    await here.close();
    await here.close();
  });
});
