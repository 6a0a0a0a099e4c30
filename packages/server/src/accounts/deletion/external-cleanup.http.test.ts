import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentUser } from '@winnow/contract/account';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPayer, startSelling } from '../../billing/stripe/testing/billing.ts';
import { givePlan } from '../../billing/testing/subscribed.ts';
import { runCommand } from '../../commands/testing/run-command.ts';
import { type MailServer, startMailServer } from '../../platform/testing/mail-server.ts';
import { newBacklog } from '../../testing/backlog.ts';
import { call } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced, whenTracker } from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

const SECRET_KEY = 'one key for the command and for the server';
let mailServer: MailServer;
let winnow: RunningWinnow;
beforeAll(async () => {
  mailServer = await startMailServer();
  winnow = await startWinnow({
    isReachable: true,
    env: { SECRET_KEY, SMTP_URL: `smtp://${mailServer.host}`, MAIL_FROM: 'winnow@example.org' },
  });
});
afterAll(async () => {
  await winnow.close();
  await mailServer.close();
});

async function isGone(name: string): Promise<boolean> {
  const { db } = winnow.database;
  return (await db.selectFrom('app_user').select('id').where('username', '=', name).execute()).length === 0;
}

test('webhooks in trackers are removed, and an email reports the end', async () => {
  const github = await startGitHub(differentIssues(2));
  try {
    const caller = await winnow.newConfirmedCaller();
    const { id } = await connect(caller, github);
    await whenSynced(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    const removed = () => github.requests.matching('DELETE', /\/hooks\/\d+$/).length;
    expect(removed()).toBe(0);
    await caller.do('DELETE', '/auth/account', { username: caller.name, current_password: caller.password });
    await eventually(() => isGone(caller.name));
    await eventually(() => removed() === 1);
    const mail = await eventually(() =>
      mailServer.received.find(({ parsed }) => parsed.subject === 'Your Winnow account is deleted'),
    );
    expect(mail.to).toEqual([`${caller.name}@example.com`]);
  } finally {
    await github.close();
  }
}, 60_000);

test('an unresponsive tracker does not prevent deletion', async () => {
  const { github, caller, trackerId } = await newBacklog(
    winnow,
    differentIssues(2),
    {},
    winnow.newConfirmedCaller,
  );
  await whenTracker(caller, trackerId, ({ webhooks }) => webhooks.state === 'active');
  await github.close();
  await caller.do('DELETE', '/auth/account', { username: caller.name, current_password: caller.password });
  await eventually(() => isGone(caller.name));
}, 60_000);

test('a locked account is not synced, however long its removal takes', async () => {
  const { github, caller, trackerId } = await newBacklog(
    winnow,
    differentIssues(2),
    {},
    winnow.newConfirmedCaller,
  );
  try {
    await whenTracker(caller, trackerId, ({ webhooks }) => webhooks.state === 'active');
    const accountId = await caller.accountId();
    const { db } = winnow.database;
    // Creates the state of a locked account that cannot be deleted while Stripe is unreachable.
    await db.updateTable('account').set({ leaving_at: new Date() }).where('id', '=', accountId).execute();
    const before = github.requests.all().length;
    github.createIssue('acme', 'app', { title: 'Never read', body: 'Not this either.' });
    const jobs = async (key: string) =>
      (await sql`select from graphile_worker.jobs where key like ${key}`.execute(db)).rows.length;
    await eventually(async () => {
      const { rows } = await sql`select from tracker_event where account_id = ${accountId}`.execute(db);
      return rows.length > 0;
    });
    await sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${`sync:${trackerId}`}
    `.execute(db);
    // No further request may follow.
    await eventually(async () => (await jobs(`sync:${trackerId}`)) === 0);
    await eventually(async () => (await jobs(`delivered:${trackerId}:%`)) === 0);
    expect(github.requests.all()).toHaveLength(before);
  } finally {
    await github.close();
  }
}, 60_000);

test('a subscription is canceled at Stripe before the account is deleted', async () => {
  const selling = await startSelling();
  try {
    const { caller, subscriptionId } = await newPayer(selling);
    await caller.do('DELETE', '/auth/account', { username: caller.name, current_password: caller.password });
    const { db } = selling.winnow.database;
    await eventually(async () => (await db.selectFrom('account').select('id').execute()).length === 0);
    const paid = selling.stripe.subscriptions().find(({ id }) => id === subscriptionId);
    expect(paid?.status).toBe('canceled');
  } finally {
    await selling.close();
  }
}, 60_000);

const CANCEL = 'Cancel the subscription of this account manually: the account is being deleted';

test('a subscription is reported in the log if nothing is sold any longer', async () => {
  const caller = await winnow.newConfirmedCaller();
  const { account_id: accountId } = await caller.get('/auth/users/me', currentUser);
  await givePlan(winnow.database.db, accountId, 'pro');
  await caller.do('DELETE', '/auth/account', { username: caller.name, current_password: caller.password });
  await eventually(() => isGone(caller.name));
  expect(winnow.logLines.find(({ account_id }) => account_id === accountId)).toMatchObject({
    level: 'warn',
    message: `${CANCEL}, and Stripe is not set up.`,
    customer_id: `cus_${accountId}`,
    subscription_id: `sub_${accountId}`,
  });
});

test('an account is deleted after days without Stripe, and the log names what to cancel', async () => {
  const selling = await startSelling();
  try {
    const { caller, customerId, subscriptionId } = await newPayer(selling);
    const { db } = selling.winnow.database;
    selling.stripe.faults.add({ match: { path: '^/v1/' }, action: { kind: 'status', status: 503 } });
    await caller.do('DELETE', '/auth/account', { username: caller.name, current_password: caller.password });
    const toTheLast = () =>
      sql<{ attempts: number }>`
      update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()
      where key like 'remove-account:%' and attempts > 0 and locked_at is null returning attempts
    `.execute(db);
    await eventually(async () => (await toTheLast()).rows.length === 1);
    await eventually(async () => (await db.selectFrom('account').select('id').execute()).length === 0);
    const told = selling.winnow.logLines.find(({ message }) => message === `${CANCEL}.`);
    expect(told).toMatchObject({ level: 'error', customer_id: customerId, subscription_id: subscriptionId });
  } finally {
    selling.stripe.faults.clear();
    await selling.close();
  }
}, 60_000);

test('an operator deletes an account by its address, and must confirm it', async () => {
  const caller = await winnow.newConfirmedCaller();
  const address = `${caller.name}@example.com`;
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-delete-'));
  const place = { database: winnow.database, dataDir, env: { SECRET_KEY } };
  try {
    const unconfirmed = await runCommand(['delete-account', address], place);
    expect([unconfirmed.code, unconfirmed.errors]).toEqual([
      1,
      expect.stringMatching(/Nothing was changed\.\n$/),
    ]);
    expect((await caller.call('GET', '/auth/users/me')).status).toBe(200);
    expect(await runCommand(['delete-account', 'nobody@example.com', '--yes'], place)).toMatchObject({
      code: 1,
      errors: 'No account has this email address.\n',
    });
    expect((await runCommand(['delete-account', address, '--now'], place)).code).toBe(2);
    const { code, output } = await runCommand(['delete-account', address, '--yes'], place);
    expect([code, output]).toEqual([0, expect.stringContaining(`The account of ${address} is locked.`)]);
    await caller.fail('GET', '/auth/users/me', 401);
    await eventually(() => isGone(caller.name));
    const body = { username: caller.name, password: caller.password };
    expect((await call(winnow.origin, 'POST', '/api/v1/auth/token/json', { body })).status).toBe(401);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);
