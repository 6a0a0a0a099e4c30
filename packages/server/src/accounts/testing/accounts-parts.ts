import { randomBytes, randomUUID } from 'node:crypto';
import type { TokenPair } from '@winnow/contract/account';
import { rateStrength as rateStrengthNow } from '@winnow/passwords/strength';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { AppError } from '../../platform/errors.ts';
import { JobCannotSucceed } from '../../platform/jobs/job.ts';
import { Jobs } from '../../platform/jobs/jobs.ts';
import { openLog } from '../../platform/log.ts';
import { handleMail, MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { openSecrets } from '../../platform/secrets.ts';
import { createTestDatabase } from '../../platform/testing/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { eventually } from '../../testing/eventually.ts';
import { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import { AccountLock } from '../deletion/lock.ts';
import { AccountRemoval } from '../deletion/service.ts';
import { Invitations } from '../invitations.ts';
import { mailPasswordReset, mailPasswordResetQueueKey } from '../job.ts';
import { MailedLinks } from '../mailed-links.ts';
import { PasskeyCeremonies } from '../passkeys/ceremonies.ts';
import { PasskeyChallenges } from '../passkeys/challenges.ts';
import { PasswordChanges } from '../password-changes.ts';
import type { RateStrength } from '../password-policy.ts';
import { Registration } from '../registration.ts';
import { FactorChecks } from '../second-factors/factor-checks.ts';
import type { MissingFactor } from '../second-factors/job.ts';
import { SecondFactors } from '../second-factors/service.ts';
import { SecurityMails } from '../security-emails.ts';
import { Accounts } from '../service.ts';
import { Sessions } from '../sessions.ts';

export const PASSWORD = 'correct horse battery';

/** Returns a client at an address, with or without a device cookie. */
export function clientAt(address: string, deviceToken: string | null = null): Client {
  return { address, caller: address, userAgent: 'Test browser', deviceToken };
}
export const CLIENT = clientAt('192.0.2.1');

/** The account services without a server. Tests control the clock. */
export type AccountsParts = Awaited<ReturnType<typeof openAccounts>>;

/** Starts the services. `sendsMail` is true for an installation that sends emails. */
export async function openAccounts({ sendsMail = false } = {}) {
  const database = await createTestDatabase();
  let now = new Date();
  const statements: string[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void statements.push(query.sql),
  });
  const accessKey = randomBytes(32);
  const revoked: string[] = [];
  const logLines: unknown[] = [];
  const log = openLog({
    level: 'info',
    destination: { write: (line) => void logLines.push(JSON.parse(line)) },
  });
  const secrets = await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: '' });
  const jobs = new Jobs({ db, connection: database.connection, log, exclusive: true });
  const mails = new MailQueue({ jobs, secrets });
  const links = new MailedLinks({
    mails,
    publicUrl: () => 'https://winnow.example.org',
    now: () => now,
  });
  const activity = new AccountActivity({ log, now: () => now });
  const sessions = new Sessions({
    db,
    activity,
    accessKey,
    refreshKey: randomBytes(32),
    now: () => now,
    onRevoked: async (transaction, accountId, sessionId) => {
      const { rows } = await sql`select from session where id = ${sessionId} and revoked_at = ${now}`.execute(
        transaction,
      );
      if (rows.length !== 1) throw new Error('A session was reported that is not revoked.');
      revoked.push(`${accountId} ${sessionId}`);
    },
  });
  const securityMails = new SecurityMails({
    mails,
    publicUrl: () => 'https://winnow.example.org',
    now: () => now,
  });
  const rateStrength: RateStrength = async (password, identity) => rateStrengthNow(password, identity);
  const shared = { db, sessions, links, activity, securityMails, rateStrength, now: () => now };
  const missingFactors: MissingFactor[] = [];
  const ceremonies = new PasskeyCeremonies({
    challenges: new PasskeyChallenges({ db, key: randomBytes(32), now: () => now }),
    publicUrl: () => 'https://winnow.example.org',
    log,
  });
  const factorChecks = new FactorChecks({
    ...{ db, secrets, ceremonies, activity, securityMails, now: () => now },
    requestMissingReport: async (missing) => void missingFactors.push(missing),
  });
  const secondFactors = new SecondFactors({
    ...{ db, secrets, sessions, activity, securityMails, ceremonies, now: () => now },
    ...{ checks: factorChecks, requiresConfirmedEmail: sendsMail },
  });
  const invitations = new Invitations({ db, links });
  const registration = new Registration(shared);
  const accounts = new Accounts({ ...shared, factorChecks, requiresConfirmedEmail: sendsMail });
  const passwordChanges = new PasswordChanges({
    ...{ ...shared, factorChecks },
    requestPayments: async () => undefined,
    endAutomation: async () => ({ flows: [], default_model: false }),
    requestPasswordReset: async (email) => {
      await jobs.enqueue(mailPasswordReset, { email }, mailPasswordResetQueueKey(email));
    },
  });

  const removal = new AccountRemoval({
    ...{ db, activity, factorChecks, mails, log, now: () => now, endPayments: null },
    lock: new AccountLock({ sessions, jobs, now: () => now, onLocked: async () => undefined }),
    prepareDeparture: async (_transaction, { homeId }) => homeId,
    onRemoved: async () => undefined,
    onAddressFree: async () => undefined,
  });

  return {
    database,
    removal,
    sessions,
    registration,
    invitations,
    accounts,
    secondFactors,
    factorChecks,
    /** Requested reports of sign-ins without a second factor. */
    missingFactors,
    passwordChanges,
    activity,
    accessKey,
    /** Account id and session id of each revocation that was published. */
    revoked,
    logLines,
    now: () => now,
    later(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    /**
     * Creates a user who can sign in with {@link PASSWORD}. The address is the name at example.com.
     */
    async newUser(): Promise<string> {
      const name = `user-${randomUUID().slice(0, 8)}`;
      const email = `${name}@example.com`;
      await registration.register({ username: name, email, password: PASSWORD }, CLIENT);
      return name;
    },
    signIn: async (username: string, password = PASSWORD, client = CLIENT): Promise<TokenPair> =>
      (await accounts.signIn({ username, password }, client)).tokens,
    /** Waits until a statement is blocked by another transaction's lock. */
    async whenHeldUp(): Promise<void> {
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `;
      await eventually(async () => (await waiting.execute(database.db)).rows.length > 0, {
        what: 'a statement to wait for a lock',
      });
    },
    /** Returns every statement that `work` sends to the database. */
    async statementsOf(work: () => Promise<unknown>): Promise<string[]> {
      statements.length = 0;
      await work();
      return [...statements];
    },
    /** Returns the pending emails to an address. Removes all pending emails. */
    async mailsTo(address: string): Promise<Mail[]> {
      const sent: Mail[] = [];
      const { run } = handleMail({
        mailer: {
          send: async (mail) => void sent.push(mail),
          check: async () => null,
          close: () => undefined,
        },
        secrets,
        now: () => now,
      });
      const { rows } = await sql<{ payload: unknown }>`
        delete from graphile_worker._private_jobs where payload::jsonb ? 'sealed' returning payload
      `.execute(database.db);
      const signal = new AbortController().signal;
      for (const { payload } of rows) {
        await run(payload, { signal, jobId: '', attempt: 1, isLastAttempt: false }).catch(unlessOutOfDate);
      }
      return sent.filter(({ to }) => to === address);
    },
    close: () => database.drop(),
  };
}

function unlessOutOfDate(error: unknown): void {
  if (!(error instanceof JobCannotSucceed)) throw error;
}

/** Returns the token of the one link in an email. */
export function tokenIn(mail: Mail | undefined): string {
  const link = /https:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const token = URL.canParse(link) ? new URL(link).searchParams.get('token') : null;
  if (token === null) throw new Error('The email contains no link with a token.');
  return token;
}

/** Returns the error that a promise must reject with. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('expected an AppError', { cause: error });
  return error;
}
