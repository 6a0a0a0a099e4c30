import { existsSync } from 'node:fs';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ModelUnavailable, openModel } from '@winnow/analysis/embed';
import { billingInterval, type Plan } from '@winnow/contract/plan';
import { plans } from '../billing/plans/plans.ts';
import { listCustomPlans } from '../billing/plans/store.ts';
import { StripeClient } from '../billing/stripe/client.ts';
import { dollarsOf, lookupKeyOf, pricesOf } from '../billing/stripe/prices.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { findCluster } from '../platform/embedded-postgres/cluster.ts';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres-error.ts';
import { keyProblem } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { checkServer, readMigrationState, unknownText } from '../platform/migrate.ts';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts';
import { keyFileOf, readSecrets } from '../platform/secrets.ts';
import { migrations } from '../schema/migrations.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { command } from './command.ts';
import { openPostgres } from './open-postgres.ts';
import { NO_ARGUMENTS } from './read-args.ts';

const GITHUB_API = new URL('https://api.github.com');

interface Finding {
  state: 'ok' | 'note' | 'problem';
  sentence: string;
}

/**
 * Checks the installation without changing it, and explains how to fix each problem. Exits with 1
 * if there is a problem.
 */
export const doctor = command({
  name: 'doctor',
  synopsis: 'doctor',
  summary: 'Check this installation and suggest fixes',
  takes: NO_ARGUMENTS,
  async run(config) {
    let customPlans: readonly Plan[] = [];
    const checks: [string, () => Promise<Finding>][] = [
      ['configuration', async () => ok('All variables are valid.')],
      ['data folder', () => checkDataFolder(config)],
      ['secrets', () => checkSecrets(config)],
      [
        'database',
        () =>
          checkDatabase(config, async (db) => {
            customPlans = await listCustomPlans(db);
          }),
      ],
      ['embedding model', () => checkModel(config)],
      ['mail', () => checkMail(config)],
      ['outbound', () => checkOutbound(config)],
      ['payments', () => checkPayments(config, customPlans)],
    ];
    let problems = 0;
    for (const [name, check] of checks) {
      const finding = await check().catch((error: unknown) => problem(sentenceOf(error)));
      if (finding.state === 'problem') problems += 1;
      process.stdout.write(`${finding.state.padEnd(8)}${name}: ${finding.sentence}\n`);
    }
    process.stdout.write(
      problems === 0
        ? 'Winnow can run here.\n'
        : `Problems to fix before Winnow can run here: ${problems}.\n`,
    );
    return problems === 0 ? 0 : 1;
  },
});

async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(
      `${place} is not a folder that the user of this process may write to. Grant write permission, or set DATA_DIR to another folder.`,
    );
  }
  return place === dataDir
    ? ok(`${dataDir} is writable.`)
    : note(`${dataDir} does not exist yet: the first start creates it.`);
}

async function checkSecrets(config: Config): Promise<Finding> {
  if ((await readSecrets(config)) === null) {
    return note(`There is no key yet: the first start creates ${keyFileOf(config.dataDir)}.`);
  }
  return ok(
    config.secretKey === undefined
      ? 'Sealed with the key file in the data folder.'
      : 'Sealed with SECRET_KEY.',
  );
}

/** Connects to the database without changing it. Calls `look` if the database is fully migrated. */
async function checkDatabase(config: Config, look: (db: Db) => Promise<void>): Promise<Finding> {
  if (config.databaseUrl !== null || findCluster(config.dataDir) !== null) return checkTables(config, look);
  const dataDir = await mkdtemp(join(tmpdir(), 'winnow-doctor-'));
  try {
    const tried = await checkTables({ ...config, dataDir }, look);
    return tried.state === 'problem'
      ? tried
      : note('PostgreSQL runs here; the first start creates the database.');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function checkTables(config: Config, look: (db: Db) => Promise<void>): Promise<Finding> {
  const log = openLog({ level: 'silent' });
  const postgres = await openPostgres(config, log, 'attach');
  const database = openDatabase<Tables>(postgres.connection, { log, max: 1 });
  try {
    await checkServer(database.db);
    const { pending, unknown } = await readMigrationState(database.db, migrations);
    if (unknown.length > 0) return problem(unknownText(unknown));
    if (pending.length > 0) {
      return note('Reachable; the next start or "winnow migrate" migrates it.');
    }
    await look(database.db);
    const wrongKey = await keyProblem(database.db, await readSecrets(config), config);
    return wrongKey === null ? ok('Reachable and up to date.') : problem(wrongKey);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function checkModel(config: Config): Promise<Finding> {
  try {
    const embedder = await openModel(config.embeddingModelDir);
    await embedder.embed(['One sentence.']);
    await embedder.close();
    return ok(`${embedder.fingerprint} works.`);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    // If EMBEDDING_MODEL_DIR is set, the server does not start without a usable model. Otherwise
    // the finding is only a note.
    if (config.embeddingModelDir !== null) return problem(`EMBEDDING_MODEL_DIR: ${error.message}`);
    return note(`${error.message} Until then, Winnow compares issues by their words only.`);
  }
}

async function checkMail(config: Config): Promise<Finding> {
  if (config.smtpUrl === null) {
    return note('SMTP_URL is not set: emails are written to the folder outbox in the data folder.');
  }
  const log = openLog({ level: 'silent' });
  const mailer = await createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    dataDir: config.dataDir,
    log,
    now: systemClock.now,
  });
  const fault = await mailer.check();
  mailer.close();
  return fault === null ? ok('The mail server accepts the connection.') : problem(fault);
}

async function checkOutbound(config: Config): Promise<Finding> {
  const outbound = createOutbound({
    allowedHosts: config.outboundAllowedHosts,
    userAgent: 'Winnow',
    log: openLog({ level: 'silent' }),
  });
  try {
    return await reachGitHub(outbound);
  } finally {
    await outbound.close();
  }
}

/** Checks whether GitHub can be reached. */
export async function reachGitHub(outbound: Pick<Outbound, 'check' | 'fetch'>): Promise<Finding> {
  const hint = 'Trackers inside your network need OUTBOUND_ALLOWED_HOSTS.';
  try {
    await outbound.check(GITHUB_API.origin);
  } catch {
    // Replaces the error's own message, which advises the user to check the spelling.
    return note(`${GITHUB_API.host} cannot be reached from here: no DNS, or a proxy is required. ${hint}`);
  }
  try {
    const answer = await outbound.fetch(new URL('/zen', GITHUB_API), { method: 'HEAD' });
    await answer.body?.cancel();
    return ok('GitHub can be reached.');
  } catch (error) {
    return note(`${sentenceOf(error)} ${hint}`);
  }
}

async function checkPayments({ publicUrl, stripe }: Config, customPlans: readonly Plan[]): Promise<Finding> {
  if (stripe === null) return note('STRIPE_SECRET_KEY is not set: this installation sells no plans.');
  if (publicUrl === null) {
    return problem(
      'PUBLIC_URL is not set: set it, so that Stripe can redirect users back and deliver webhooks.',
    );
  }
  const sold = [...plans, ...customPlans].flatMap((plan) =>
    billingInterval.options
      .map((interval) => ({ plan, interval }))
      .filter(({ interval }) => dollarsOf(plan, interval)),
  );
  const prices = await pricesOf(new StripeClient(stripe), sold);
  const faulty = prices.filter(({ fault }) => fault !== null);
  const withPrices = customPlans.filter((plan) =>
    faulty.every(({ lookupKey }) =>
      billingInterval.options.every((interval) => lookupKey !== lookupKeyOf(plan.id, interval)),
    ),
  );
  const custom =
    withPrices.length === 0 ? '' : ` Custom plans with prices: ${withPrices.map(({ id }) => id).join(', ')}.`;
  return faulty.length === 0
    ? ok(`Stripe accepts the key and has the prices of all plans.${custom}`)
    : problem(`Create these prices in Stripe: ${faulty.map(({ fault }) => fault).join('; ')}.${custom}`);
}

function sentenceOf(error: unknown): string {
  if (error instanceof EmbeddedPostgresError) return error.message;
  return error instanceof Error ? error.message : String(error);
}

function ok(sentence: string): Finding {
  return { state: 'ok', sentence };
}

function note(sentence: string): Finding {
  return { state: 'note', sentence };
}

function problem(sentence: string): Finding {
  return { state: 'problem', sentence };
}
