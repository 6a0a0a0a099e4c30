import type { LiveEvent } from '@winnow/contract/live';
import type { PoolConfig } from 'pg';
import { MODEL_CALL_LIMITS } from '../ai/model.ts';
import { Engine } from '../issues/engine/engine.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, publicUrlOf } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { EventCoalescer } from '../platform/event-coalescer.ts';
import { openEvents } from '../platform/events.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { createLimiter } from '../platform/limiter.ts';
import type { Log } from '../platform/log.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import { VERSION } from '../platform/version.ts';
import type { Tables } from '../schema/tables.ts';
import { createJobRequests } from './requests.ts';

/** Maximum concurrent calls to one tracker host, over all jobs of this process. */
const CALLS_PER_HOST = 4;

export interface FoundationOptions {
  config: Config;
  /** How to connect to a migrated database. */
  connection: PoolConfig;
  log: Log;
  /** True if no other process works on this database. */
  exclusive: boolean;
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/**
 * Opens the database, engine, job queue and other resources that every part uses.
 *
 * @throws {SecretKeyRefused} if the secret key belongs to another database
 */
export async function openFoundation({ config, connection, log, exclusive }: FoundationOptions) {
  // Set again when the server listens: with PORT=0 the system chooses the port.
  let publicUrl = publicUrlOf(config, config.port);
  const clock = systemClock;
  const now = () => clock.now();
  const database: Database<Tables> = openDatabase<Tables>(connection, { log });
  const { db } = database;
  // Opening the events takes the lock that prevents a key rotation while this process runs. The key
  // must be read after that.
  const events = await openEvents<AccountEvent>({ connection, db, log });
  const secrets = await openSecretsOf(config, { connection, log }).catch(async (error: unknown) => {
    await Promise.all([events.close(), database.close()]);
    throw error;
  });
  const onPublishError = (error: unknown) => log.warn({ error }, 'A live event could not be published.');
  const coalescer = new EventCoalescer<LiveEvent>({
    publish: events.publish,
    perSecond: 4,
    onError: onPublishError,
  });
  const jobs = new Jobs({ db, connection, log, exclusive });
  const outboundOptions = { allowedHosts: config.outboundAllowedHosts, userAgent: `Winnow/${VERSION}`, log };
  const outbound = createOutbound(outboundOptions);
  const outboundToOffered = createOutbound({
    ...outboundOptions,
    exemptHosts: config.aiModels.map(({ apiUrl }) => new URL(apiUrl).host),
  });
  const engine = new Engine({
    connection,
    logLevel: config.logLevel,
    embeddingModelDir: config.embeddingModelDir,
  });

  return {
    config,
    connection,
    log,
    clock,
    now,
    database,
    db,
    events,
    secrets,
    jobs,
    engine,
    outbound,
    requests: createJobRequests(db, jobs, { sells: config.stripe !== null }),
    mails: new MailQueue({ jobs, secrets }),
    metrics: createMetrics(),
    limiter: createLimiter({ concurrency: CALLS_PER_HOST }),
    /** Fetch for calls to users' language models. No other fetch may be used for them. */
    fetchForModels: outbound.fetchWith(MODEL_CALL_LIMITS),
    /**
     * Fetch for calls to language models that the operator offers. It may reach private addresses.
     */
    fetchForOffered: outboundToOffered.fetchWith(MODEL_CALL_LIMITS),
    /** Returns the public address of this installation. */
    publicUrl: () => publicUrl,
    /** Sets the public address once the server listens. */
    setPublicUrl(url: string): void {
      publicUrl = url;
    },
    /**
     * Publishes a live event. Progress events are frequent, so several of them are merged; changes
     * are published immediately.
     */
    publish: (accountId: string, event: LiveEvent) =>
      event.type === 'change_updated'
        ? events.publish(accountId, event)
        : coalescer.publish(accountId, event),
    onPublishError,
    /** Publishes the remaining live events and releases all resources. */
    async close(): Promise<void> {
      await engine.close();
      await coalescer
        .flush()
        .catch((error: unknown) => log.warn({ error }, 'The last live events could not be published.'));
      await events.close();
      await Promise.all([outbound.close(), outboundToOffered.close()]);
      await database.close();
    },
  };
}
