import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { LiveEvent } from '@winnow/contract/live';
import type { PlanId } from '@winnow/contract/plan';
import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import type { LoggedRequest } from '@winnow/emulators/http/request-log';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { AccountPlans } from '../../billing/plans/account-plans.ts';
import { PlanQuotas } from '../../billing/quotas/quotas.ts';
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

/**
 * Test bed that syncs an emulated tracker into a real database. Its clock advances only if the test
 * advances it.
 */
export interface SyncBed {
  tracker: EmulatedTracker;
  db: Db;
  accountId: string;
  trackerId: string;
  intake: IssueIntake;
  published: LiveEvent[];
  pass(ms: number): void;
  run(): Promise<SyncOutcome>;
  /** Advances the clock and runs a sync. Returns the requests that the tracker has received. */
  runAfter(ms: number): Promise<LoggedRequest[]>;
  /** Returns the keys of all stored issues, sorted. */
  keys(): Promise<string[]>;
  syncError(): Promise<string | null>;
  /**
   * Closes the test bed.
   * @throws {Error} if a request or response violated the tracker's published API description
   */
  close(): Promise<void>;
}

/**
 * Provides test beds that share one database and are closed after each test. Call it once at the
 * top of a test file.
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
    if (database === null) throw new Error('Test databases exist only while tests run.');
    return database.db;
  };
  return {
    get db(): Db {
      return dbOf();
    },
    /**
     * Starts a tracker and syncs it once. Each entry of `issues` is the number of issues of one
     * project.
     */
    async synced(type: ConnectableTrackerType, ...issues: number[]): Promise<SyncBed> {
      const bed = await startSyncBed(dbOf(), type, issues);
      open.push(bed);
      expect(await bed.run()).toMatchObject({ state: 'done' });
      return bed;
    },
    /** Like `synced`, but the account has this plan. */
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
  const plans = new AccountPlans({ db, selfHosted: plan === null ? 'enterprise' : null });
  const amounts = new PlanQuotas({ db, plans, now });
  const { id: trackerId } = await trackers.create(accountId, tracker.connection);
  const published: LiveEvent[] = [];
  const publish = async (_account: string, event: LiveEvent) => void published.push(event);
  const sync = new Sync({ db, trackers, intake, now, publish, amounts });
  const run = () => sync.run(accountId, trackerId, AbortSignal.timeout(60_000));
  return {
    tracker,
    db,
    accountId,
    trackerId,
    intake,
    published,
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
      description.expectConformance();
    },
  };
}
