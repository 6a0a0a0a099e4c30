import { access, constants, mkdir } from 'node:fs/promises';
import { ModelUnavailable, openMiniLm } from '@winnow/analysis/embed';
import { billingInterval } from '@winnow/contract/plan';
import { plans } from '../billing/plans.ts';
import { StripeClient } from '../billing/stripe/client.ts';
import { pricesOf } from '../billing/stripe/prices.ts';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres-error.ts';
import { keyProblem } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { checkServer, readMigrationState } from '../platform/migrate.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { openSecrets } from '../platform/secrets.ts';
import { migrations } from '../schema/migrations.ts';
import { openPostgres } from './open-postgres.ts';

interface Finding {
  state: 'ok' | 'note' | 'problem';
  sentence: string;
}

/** Checks what the server needs, says what to do about each fault; exit code 1 when there is one. */
export async function doctor(config: Config): Promise<number> {
  const checks: [string, () => Promise<Finding>][] = [
    ['configuration', async () => ok('Every variable can be read.')],
    ['data folder', () => checkDataFolder(config)],
    ['secrets', () => checkSecrets(config)],
    ['database', () => checkDatabase(config)],
    ['embedding model', checkModel],
    ['mail', () => checkMail(config)],
    ['outbound', () => checkOutbound(config)],
    ['payments', () => checkPayments(config)],
  ];
  let problems = 0;
  for (const [name, check] of checks) {
    const finding = await check().catch((error: unknown) => problem(sentenceOf(error)));
    if (finding.state === 'problem') problems += 1;
    process.stdout.write(`${finding.state.padEnd(8)}${name}: ${finding.sentence}\n`);
  }
  process.stdout.write(
    problems === 0 ? 'Winnow can run here.\n' : `${problems} to mend before Winnow can run here.\n`,
  );
  return problems === 0 ? 0 : 1;
}

async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  await mkdir(dataDir, { recursive: true });
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  return ok(`${dataDir} can be written.`);
}

async function checkSecrets(config: Config): Promise<Finding> {
  await openSecrets(config);
  return ok(
    config.secretKey === undefined
      ? 'Sealed under the key file in the data folder.'
      : 'Sealed under SECRET_KEY.',
  );
}

async function checkDatabase(config: Config): Promise<Finding> {
  const log = openLog({ level: 'silent' });
  const postgres = await openPostgres(config, log, 'attach');
  const database = openDatabase<unknown>(postgres.connection, { log, max: 1 });
  try {
    await checkServer(database.db);
    const { pending, unknown } = await readMigrationState(database.db, migrations);
    if (unknown.length > 0) {
      return problem(`A newer Winnow has migrated it (${unknown.join(', ')}). Start that version.`);
    }
    if (pending.length > 0) {
      return note('Reachable; the next start, or "winnow migrate", brings it up to date.');
    }
    const wrongKey = await keyProblem(database.db, await openSecrets(config), config);
    return wrongKey === null ? ok('Reachable and up to date.') : problem(wrongKey);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function checkModel(): Promise<Finding> {
  try {
    const embedder = await openMiniLm();
    await embedder.embed(['One sentence.']);
    await embedder.close();
    return ok(`${embedder.fingerprint} works.`);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    return note(`${error.message} Winnow compares issues by their words alone until it is there.`);
  }
}

async function checkMail(config: Config): Promise<Finding> {
  if (config.smtpUrl === null) {
    return note('SMTP_URL is not set: mails are written to the folder outbox in the data folder.');
  }
  const log = openLog({ level: 'silent' });
  const mailer = await createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    dataDir: config.dataDir,
    log,
  });
  const fault = await mailer.check();
  mailer.close();
  return fault === null ? ok('The mail server accepts us.') : problem(fault);
}

async function checkOutbound(config: Config): Promise<Finding> {
  const outbound = createOutbound({
    allowedHosts: config.outboundAllowedHosts,
    userAgent: 'Winnow',
    log: openLog({ level: 'silent' }),
  });
  try {
    const answer = await outbound.fetch('https://api.github.com/zen', { method: 'HEAD' });
    await answer.body?.cancel();
    return ok('GitHub can be reached.');
  } catch (error) {
    return note(`${sentenceOf(error)} Trackers inside your network need OUTBOUND_ALLOWED_HOSTS.`);
  } finally {
    await outbound.close();
  }
}

async function checkPayments({ publicUrl, stripe }: Config): Promise<Finding> {
  if (stripe === null) return note('STRIPE_SECRET_KEY is not set: nothing is sold here.');
  if (publicUrl === null) {
    return problem(
      'PUBLIC_URL is not set: set it, so that Stripe leads people back and its webhooks arrive.',
    );
  }
  const sold = plans
    .filter((plan) => plan.price_monthly)
    .flatMap((plan) => billingInterval.options.map((interval) => ({ plan, interval })));
  const prices = await pricesOf(new StripeClient(stripe), sold);
  const faults = prices.flatMap(({ fault }) => fault ?? []);
  return faults.length === 0
    ? ok('Stripe accepts us and has the prices of our plans.')
    : problem(`Make these prices in Stripe: ${faults.join('; ')}.`);
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
