import { subscriptionStatus } from '@winnow/contract/plan';
import { AccountActivity } from '../accounts/activity.ts';
import { AuditLog } from '../accounts/audit/audit-log.ts';
import { AccountLock } from '../accounts/deletion/lock.ts';
import { resealAuthenticator } from '../accounts/second-factors/factor-checks.ts';
import { findByAddress } from '../accounts/service.ts';
import { createSessions } from '../accounts/sessions.ts';
import { Workspaces } from '../accounts/workspaces/service.ts';
import { AccountPlans } from '../billing/plans/account-plans.ts';
import { findSubscription } from '../billing/stripe/store.ts';
import { stopFlows } from '../flows/stop-flows.ts';
import { systemClock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { openEvents } from '../platform/events.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/**
 * Locks an account and schedules its deletion, exactly as if its owner had deleted it. A running
 * Winnow then deletes it in a job.
 */
export const deleteAccount = command({
  name: 'delete-account',
  synopsis: 'delete-account EMAIL [--yes]',
  summary: 'Lock an account and remove all its data',
  details: `Winnow may be running: it removes the account in a job, and cancels its subscription at Stripe.

  --yes                 do not ask for confirmation`,
  takes: { operands: ['EMAIL'], options: { yes: { type: 'boolean' } } },
  async run(config, { operands: [address], values }) {
    return withDatabase(config, async ({ db, connection, log }) => {
      const owner = await findByAddress(db, address);
      if (owner === null) {
        process.stderr.write('No account has this email address.\n');
        return 1;
      }
      const warning = await warningOf(db, owner);
      if (!values.yes && !(await confirm(warning, owner.email))) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const now = () => systemClock.now();
      const secrets = await openSecretsOf(config, { connection, log });
      const jobs = new Jobs({ db, connection, log, exclusive: false });
      const events = await openEvents<AccountEvent>({ connection, db, log });
      try {
        const lock = new AccountLock({
          jobs,
          sessions: createSessions({ db, secrets, events, log, now }),
          now,
          onLocked: async (transaction, accountId) => {
            await stopFlows(transaction, accountId, 'all', { events, now });
          },
        });
        const workspaces = new Workspaces({
          ...{ db, lock, events, now, requiresConfirmedEmail: false },
          activity: new AccountActivity({ log, now }),
          audit: new AuditLog({ now }),
          mails: new MailQueue({ jobs, secrets }),
          resealSecrets: (transaction, userId, homes) =>
            resealAuthenticator(transaction, secrets, userId, homes),
          stopFlowsOf: (transaction, accountId, ownerId) =>
            stopFlows(transaction, accountId, 'all', { events, now, ownerId }),
        });
        await db.transaction().execute(async (transaction) => {
          const user = { userId: owner.userId, homeId: owner.accountId };
          await lock.lock(transaction, await workspaces.prepareDeparture(transaction, user, null));
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'last_owner') throw error;
        process.stderr.write(`${error.detail}\nNothing was changed.\n`);
        return 1;
      } finally {
        await events.close();
      }
      process.stdout.write(
        `The account of ${owner.email} is locked. Winnow removes it as soon as it runs jobs.\n`,
      );
      return 0;
    });
  },
});

async function warningOf(
  db: Db,
  owner: NonNullable<Awaited<ReturnType<typeof findByAddress>>>,
): Promise<string> {
  const who = owner.isPending
    ? `${owner.email} (invited, not yet accepted)`
    : `${owner.username} (${owner.email})`;
  const everything = `All data in the account of ${who} will be deleted permanently.`;
  const paid = await findSubscription(db, owner.accountId);
  const planId =
    paid?.status != null && subscriptionStatus(paid.status).isOngoing ? (paid.plan_id ?? 'unknown') : null;
  if (planId === null) return everything;
  const plan = await new AccountPlans({ db, selfHosted: null }).find(owner.accountId, planId);
  return `${everything} Its active subscription to the ${plan?.name ?? planId} plan will be canceled at Stripe immediately, without a refund.`;
}
