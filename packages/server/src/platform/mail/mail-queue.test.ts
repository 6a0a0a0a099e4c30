import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { Jobs } from '../jobs/jobs.ts';
import { openLog } from '../log.ts';
import { openSecrets, type Secrets } from '../secrets.ts';
import { countJobs } from '../testing/count-jobs.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { type MailServer, startMailServer } from '../testing/mail-server.ts';
import { handleMail, MailQueue } from './mail-queue.ts';
import { createMailer, type Mail } from './mailer.ts';

const LINK = 'https://winnow.example.org/verify-email?token=very-secret';
const MAIL: Mail = {
  to: 'ada@example.com',
  kind: 'verify_email',
  subject: 'Confirm',
  text: LINK,
  html: `<a href="${LINK}">Confirm</a>`,
};
let database: TestDatabase;
let dataDir: string;
let server: MailServer;
let secrets: Secrets;
let jobs: Jobs;
let queue: MailQueue;
let now: Date;
const log = openLog({ level: 'silent' });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'winnow-mail-queue-'));
  secrets = await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  now = new Date();
  database = await createTestDatabase();
  server = await startMailServer();
  jobs = new Jobs({ db: database.db, connection: database.connection, log, exclusive: true });
  queue = new MailQueue({ jobs, secrets });
});
afterEach(async () => {
  await jobs.stop();
  await server.close();
  await database.drop();
});

async function work(opening: Secrets = secrets): Promise<void> {
  const from = 'Winnow <winnow@example.org>';
  const mailer = await createMailer({
    smtpUrl: `smtp://${server.host}`,
    from,
    dataDir,
    log,
    now: () => new Date(),
  });
  await jobs.start({
    concurrency: 2,
    handlers: [handleMail({ mailer, secrets: opening, now: () => now })],
  });
}

/** Retries failed emails immediately, without their retry delay. */
async function skipPauses(): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(
    database.db,
  );
}

async function failedForGood(): Promise<number> {
  return (await countJobs(database.db)).reduce((sum, { failed }) => sum + failed, 0);
}

test('a waiting email is unreadable in the database', async () => {
  await queue.add(MAIL);
  const { rows } = await sql<{ job: string }>`
    select row_to_json(job)::text as job from graphile_worker._private_jobs as job
  `.execute(database.db);
  expect(rows).toHaveLength(1);
  for (const part of ['very-secret', 'ada@example.com', 'Confirm']) expect(rows[0]?.job).not.toContain(part);
});

test('an email of a rolled-back transaction is not sent', async () => {
  await expect(
    database.db.transaction().execute(async (transaction) => {
      await queue.add({ ...MAIL, subject: 'Never' }, { db: transaction });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await queue.add(MAIL);
  await work();
  await eventually(() => server.received.length > 0);
  expect(server.received.map(({ parsed }) => parsed.subject)).toEqual(['Confirm']);
});

test('during an outage of the mail server an email is retained, and arrives afterwards', async () => {
  await server.away();
  await queue.add(MAIL);
  await work();
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from graphile_worker._private_jobs where last_error like 'The email could not be sent%'
    `.execute(database.db);
    return rows[0]?.n === 1;
  });
  await server.back();
  await skipPauses();
  const [mail] = await eventually(() => server.received.length > 0 && server.received);
  expect(mail?.to).toEqual(['ada@example.com']);
  expect([mail?.parsed.text?.trim(), mail?.parsed.html?.trim()]).toEqual([MAIL.text, MAIL.html]);
});

test('of the waiting emails with one key, only the newest is sent', async () => {
  await queue.add({ ...MAIL, subject: 'Old' }, { key: 'a' });
  await queue.add({ ...MAIL, subject: 'New' }, { key: 'a' });
  await queue.add({ ...MAIL, subject: 'Other' }, { key: 'b' });
  await work();
  await eventually(() => server.received.length >= 2);
  expect(server.received.map(({ parsed }) => parsed.subject).sort()).toEqual(['New', 'Other']);
});

test('an expired email is not sent, and the queue stores the reason', async () => {
  await queue.add(MAIL, { notAfter: now });
  await queue.add({ ...MAIL, subject: 'In time' }, { notAfter: new Date(now.getTime() + 1) });
  await work();
  await eventually(async () => server.received.length > 0 && (await failedForGood()) === 1);
  expect(server.received.map(({ parsed }) => parsed.subject)).toEqual(['In time']);
});

test('an email sealed with another key is not sent', async () => {
  await queue.add(MAIL);
  await work(await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir }));
  await eventually(async () => (await failedForGood()) === 1);
  expect(server.received).toEqual([]);
});

test('a sealed email moved to another job is not sent', async () => {
  await queue.add(MAIL);
  await sql`
    update graphile_worker._private_jobs
    set payload = jsonb_set(payload::jsonb, '{id}', to_jsonb(gen_random_uuid()))::json
  `.execute(database.db);
  await work();
  await eventually(async () => (await failedForGood()) === 1);
  expect(server.received).toEqual([]);
});
