import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TrackerCreate, trackerCreate } from '@winnow/contract/tracker';
import { z } from 'zod';
import { launch } from '../../packages/server/launch.mjs';
import { IssueIntake } from '../../packages/server/src/issues/intake.ts';
import { openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { createLimiter } from '../../packages/server/src/platform/limiter.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import { migrate } from '../../packages/server/src/platform/migrate.ts';
import { createOutbound } from '../../packages/server/src/platform/outbound/outbound.ts';
import { openSecrets } from '../../packages/server/src/platform/secrets.ts';
import { migrations } from '../../packages/server/src/schema/migrations.ts';
import type { Tables } from '../../packages/server/src/schema/tables.ts';
import { Sync } from '../../packages/server/src/sync/sync.ts';
import { providerFactory } from '../../packages/server/src/trackers/provider-factory.ts';
import { Trackers } from '../../packages/server/src/trackers/service.ts';

const CALLS_AT_ONCE = 4;

/** Task that requests these addresses with limited concurrency, and discards the responses. */
const bareWalk = z.object({
  kind: z.literal('bare'),
  headers: z.record(z.string(), z.string()),
  batches: z.array(z.array(z.string())),
});
/**
 * Task that syncs a tracker into a new account. If `tracker` is null, it syncs the previous tracker
 * again.
 */
const oneSync = z.object({ kind: z.literal('sync'), tracker: trackerCreate.nullable() });
const task = z.discriminatedUnion('kind', [bareWalk, oneSync]);
type Task = z.infer<typeof task>;
const report = z.object({ tookMs: z.number(), peakBytes: z.number(), state: z.string() });
type SyncReport = z.infer<typeof report>;

/** Runs syncs without analysis in a separate process, with its own PostgreSQL. */
export interface SyncProcess {
  sync(tracker: TrackerCreate | null): Promise<SyncReport>;
  bare(headers: Record<string, string>, batches: string[][]): Promise<SyncReport>;
  stop(): Promise<void>;
}

export async function startSyncProcess(): Promise<SyncProcess> {
  const child = fork(import.meta.filename, [], {
    execArgv: [...launch.flags],
    env: { ...process.env, ...launch.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = (message: Task): Promise<SyncReport> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onExit = () => reject(new Error('The sync process has exited.'));
    child.once('message', resolve).once('exit', onExit).send(message);
    return promise.then((body) => report.parse(body)).finally(() => child.off('exit', onExit));
  };
  return {
    sync: (tracker) => ask({ kind: 'sync', tracker }),
    bare: (headers, batches) => ask({ kind: 'bare', headers, batches }),
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

async function work(send: (message: SyncReport) => void): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'winnow-sync-'));
  const log = openLog({ level: 'error' });
  const postgres = await openEmbeddedPostgres({ dataDir, log });
  await migrate({ connection: postgres.connection, migrations, log });
  const { db, close } = openDatabase<Tables>(postgres.connection, { log });
  const outbound = createOutbound({ allowedHosts: ['127.0.0.1'], userAgent: 'Winnow/bench', log });
  const now = () => new Date();
  const trackers = new Trackers({
    db,
    secrets: await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir }),
    now,
    openProvider: providerFactory({
      db,
      fetch: outbound.fetch,
      limiter: createLimiter({ concurrency: CALLS_AT_ONCE }),
      log,
      clock: { now },
    }),
    expectConfirmedEmail: async () => undefined,
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
  const sync = new Sync({ db, trackers, intake: new IssueIntake(now), now, publish: async () => undefined });
  let accountId = '';
  let trackerId = '';

  async function perform(message: Task): Promise<string> {
    if (message.kind === 'bare') {
      for (const batch of message.batches) {
        await Promise.all(
          batch.map(async (url) => {
            const answer = await outbound.fetch(url, { headers: message.headers });
            await answer.arrayBuffer();
          }),
        );
      }
      return 'done';
    }
    return (await sync.run(accountId, trackerId, AbortSignal.timeout(3_600_000))).state;
  }

  process.on('message', async (given) => {
    const message = task.parse(given);
    if (message.kind === 'sync' && message.tracker !== null) {
      accountId = randomUUID();
      await db.insertInto('account').values({ id: accountId }).execute();
      trackerId = (await trackers.create(accountId, message.tracker)).id;
    }
    const beganMs = performance.now();
    const state = await perform(message);
    send({
      tookMs: performance.now() - beganMs,
      peakBytes: process.resourceUsage().maxRSS * 1024,
      state,
    });
  });
  await once(process, 'disconnect');
  await outbound.close();
  await close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const send = process.send.bind(process);
  await work((message) => send(message));
}
