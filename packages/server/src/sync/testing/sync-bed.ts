import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { LiveEvent } from '@winnow/contract/live';
import type { PlanId } from '@winnow/contract/plan';
import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { LoggedRequest } from '../../../../../tools/emulators/http/request-log.ts';
import { PlanAmounts } from '../../billing/amounts/amounts.ts';
import { PlansOfAccounts } from '../../billing/plans/plans-of-accounts.ts';
import { givePlan } from '../../billing/testing/subscribed.ts';
import { IssueIntake } from '../../issues/intake.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { openLog } from '../../platform/log.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { openSecrets } from '../../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import type { Db } from '../../schema/tables.ts';
import { providerFactory } from '../../trackers/provider-factory.ts';
import { Trackers } from '../../trackers/service.ts';
import { descriptionOf } from '../../trackers/testing/description.ts';
import { Sync, type SyncOutcome } from '../sync.ts';
import { type EmulatedTracker, startEmulatedTracker } from './emulated-tracker.ts';

/** Syncs of an emulated tracker into a real database, on a clock that moves when it is told to. */
export interface SyncBed {
  tracker: EmulatedTracker;
  db: Db;
  accountId: string;
  trackerId: string;
  intake: IssueIntake;
  told: LiveEvent[];
  pass(ms: number): void;
  run(): Promise<SyncOutcome>;
  /** Moves the clock by so much, and syncs; answers what was asked of the tracker meanwhile. */
  runAfter(ms: number): Promise<LoggedRequest[]>;
  /** The keys of all that is stored, sorted. */
  keys(): Promise<string[]>;
  syncError(): Promise<string | null>;
  /** @throws {Error} when a request or an answer did not satisfy the tracker's published description. */
  close(): Promise<void>;
}

/**
 * Beds for the tests of a file, in one database; they end with the test that started them. Call it once, at the top of
 * the file.
 */
export function useSyncBeds() {
  const open: SyncBed[] = [];
  let database: TestDatabase | null = null;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const bed of open.splice(0)) await bed.close();
  });
  afterAll(() => database?.drop());
  const dbOf = (): Db => {
    if (database === null) throw new Error('There is a database while tests run.');
    return database.db;
  };
  return {
    get db(): Db {
      return dbOf();
    },
    /** A tracker whose projects have so many issues, read once. */
    async synced(type: ConnectableTrackerType, ...issues: number[]): Promise<SyncBed> {
      const bed = await startSyncBed(dbOf(), type, issues);
      open.push(bed);
      expect(await bed.run()).toMatchObject({ state: 'done' });
      return bed;
    },
    /** The same for an account that is on a plan. */
    async syncedOn(plan: PlanId, type: ConnectableTrackerType, ...issues: number[]): Promise<SyncBed> {
      const bed = await startSyncBed(dbOf(), type, issues, plan);
      open.push(bed);
      expect(await bed.run()).toMatchObject({ state: 'done' });
      return bed;
    },
  };
}

async function startSyncBed(
  db: Db,
  type: ConnectableTrackerType,
  issues: readonly number[],
  plan: PlanId | null = null,
): Promise<SyncBed> {
  let nowMs = Date.parse('2024-05-01T12:00:00Z');
  const now = () => new Date(nowMs);
  const description = await descriptionOf(type);
  const { onExchange } = description;
  const tracker = await startEmulatedTracker(type, { issues, clock: now, onExchange });
  const outbound = createOutbound({
    allowedHosts: ['127.0.0.1'],
    userAgent: 'Winnow/test',
    log: { info: () => undefined },
  });
  const intake = new IssueIntake(now);
  const trackers = new Trackers({
    expectConfirmedEmail: async () => undefined,
    db,
    secrets: await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() }),
    now,
    openProvider: providerFactory({
      db,
      fetch: outbound.fetch,
      limiter: createLimiter({ concurrency: 4 }),
      log: openLog({ level: 'silent' }),
      clock: { now },
    }),
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
  const accountId = randomUUID();
  await db.insertInto('account').values({ id: accountId }).execute();
  if (plan !== null) await givePlan(db, accountId, plan);
  const plans = new PlansOfAccounts({ db, selfHosted: plan === null ? 'enterprise' : null });
  const amounts = new PlanAmounts({ db, plans, now });
  const { id: trackerId } = await trackers.create(accountId, tracker.connection);
  const told: LiveEvent[] = [];
  const publish = async (_account: string, event: LiveEvent) => void told.push(event);
  const sync = new Sync({ db, trackers, intake, now, publish, amounts });
  const run = () => sync.run(accountId, trackerId, AbortSignal.timeout(60_000));
  return {
    tracker,
    db,
    accountId,
    trackerId,
    intake,
    told,
    pass: (ms) => {
      nowMs += ms;
    },
    run,
    async runAfter(ms) {
      nowMs += ms;
      tracker.emulator.requests.clear();
      await run();
      return [...tracker.emulator.requests.all()];
    },
    async keys() {
      const rows = await db.selectFrom('issue').select('key').where('account_id', '=', accountId).execute();
      return rows.map(({ key }) => key).sort();
    },
    async syncError() {
      const row = await db
        .selectFrom('tracker')
        .select('sync_error')
        .where('account_id', '=', accountId)
        .where('id', '=', trackerId)
        .executeTakeFirstOrThrow();
      return row.sync_error;
    },
    async close() {
      await outbound.close();
      await tracker.emulator.close();
      description.expectHeld();
    },
  };
}
