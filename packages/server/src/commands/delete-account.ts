import { subscriptionStatus } from '@winnow/contract/plan';
import { AccountLock } from '../accounts/leaving/lock.ts';
import { findByAddress } from '../accounts/service.ts';
import { sessionsOf } from '../accounts/sessions.ts';
import { PlansOfAccounts } from '../billing/plans/plans-of-accounts.ts';
import { findSubscription } from '../billing/stripe/store.ts';
import { stopFlows } from '../flows/stop-flows.ts';
import { systemClock } from '../platform/clock.ts';
import { openEvents } from '../platform/events.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/** Locks somebody's account, as if they had left themselves; a Winnow that works off jobs removes it. */
export const deleteAccount = command({
  name: 'delete-account',
  synopsis: 'delete-account EMAIL [--yes]',
  summary: 'Lock the account of somebody and have all of it removed',
  details: `Winnow may be running: it removes the account as soon as it works off jobs, and cancels what is paid for at Stripe.

  --yes                 without the question whether to go on`,
  takes: { operands: ['EMAIL'], options: { yes: { type: 'boolean' } } },
  async run(config, { operands: [address], values }) {
    return withDatabase(config, async ({ db, connection, log }) => {
      const owner = await findByAddress(db, address);
      if (owner === null) {
        process.stderr.write('Nobody has this e-mail address.\n');
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
          sessions: sessionsOf({ db, secrets, events, log, now }),
          now,
          onLocked: async (transaction, accountId) => {
            await stopFlows(transaction, accountId, 'all', { events, now });
          },
        });
        await db.transaction().execute((transaction) => lock.lock(transaction, owner.accountId));
      } finally {
        await events.close();
      }
      process.stdout.write(
        `The account of ${owner.email} is locked. Winnow removes it as soon as it works off jobs.\n`,
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
  const everything = `Everything in the account of ${who} is removed for good.`;
  const paid = await findSubscription(db, owner.accountId);
  const planId =
    paid?.status != null && subscriptionStatus(paid.status).goesOn ? (paid.plan_id ?? 'unknown') : null;
  if (planId === null) return everything;
  const plan = await new PlansOfAccounts({ db, selfHosted: null }).find(owner.accountId, planId);
  return `${everything} Its running subscription, of the ${plan?.name ?? planId} plan, is cancelled at Stripe at once, without a refund.`;
}
