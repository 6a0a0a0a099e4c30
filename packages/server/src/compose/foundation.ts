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
import { requestsOf } from './requests.ts';

/** Calls to one tracker host at a time, over all work. */
const CALLS_PER_HOST = 4;

export interface FoundationOptions {
  config: Config;
  /** A migrated database. */
  connection: PoolConfig;
  log: Log;
  /** No other process works on this database. */
  exclusive: boolean;
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens what every part stands on. Throws `SecretKeyRefused` for another database's key. */
export async function openFoundation({ config, connection, log, exclusive }: FoundationOptions) {
  // Known for sure once the server is made: with PORT=0 the port is chosen then.
  let publicUrl = publicUrlOf(config, config.port);
  const clock = systemClock;
  const now = () => clock.now();
  const database: Database<Tables> = openDatabase<Tables>(connection, { log });
  const { db } = database;
  // From here on others know that a Winnow runs, so that nobody changes the key that is read now.
  const events = await openEvents<AccountEvent>({ connection, db, log });
  const secrets = await openSecretsOf(config, { connection, log }).catch(async (error: unknown) => {
    await Promise.all([events.close(), database.close()]);
    throw error;
  });
  const onUntold = (error: unknown) => log.warn({ error }, 'A live event could not be told.');
  const coalescer = new EventCoalescer<LiveEvent>({
    publish: events.publish,
    perSecond: 4,
    onError: onUntold,
  });
  const jobs = new Jobs({ db, connection, log, exclusive });
  const toAnywhere = { allowedHosts: config.outboundAllowedHosts, userAgent: `Winnow/${VERSION}`, log };
  const outbound = createOutbound(toAnywhere);
  const outboundToOffered = createOutbound({
    ...toAnywhere,
    exemptHosts: config.aiModels.map(({ apiUrl }) => new URL(apiUrl).host),
  });
  const engine = new Engine({ connection, logLevel: config.logLevel });

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
    requests: requestsOf(db, jobs, { sells: config.stripe !== null }),
    mails: new MailQueue({ jobs, secrets }),
    metrics: createMetrics(),
    limiter: createLimiter({ concurrency: CALLS_PER_HOST }),
    /** The only way out to language models. */
    fetchForModels: outbound.fetchWith(MODEL_CALL_LIMITS),
    /** The way out to those that the operator offers. */
    fetchForOffered: outboundToOffered.fetchWith(MODEL_CALL_LIMITS),
    /** Where people reach this installation. */
    publicUrl: () => publicUrl,
    /** Says at which address it is served. */
    servedAt(url: string): void {
      publicUrl = url;
    },
    /** Progress comes in bursts, so it is told a few times a second; the end of something is told at once. */
    publish: (accountId: string, event: LiveEvent) =>
      event.type === 'change_updated'
        ? events.publish(accountId, event)
        : coalescer.publish(accountId, event),
    onUntold,
    /** Tells the last live events, and lets go of everything. */
    async close(): Promise<void> {
      await engine.close();
      await coalescer
        .flush()
        .catch((error: unknown) => log.warn({ error }, 'The last live events could not be told.'));
      await events.close();
      await Promise.all([outbound.close(), outboundToOffered.close()]);
      await database.close();
    },
  };
}
