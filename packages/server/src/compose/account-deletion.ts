import type { AccountActivity } from '../accounts/activity.ts';
import { AccountExport } from '../accounts/deletion/export.ts';
import { removeAccount } from '../accounts/deletion/job.ts';
import { AccountLock } from '../accounts/deletion/lock.ts';
import { registerDeletionRoutes } from '../accounts/deletion/routes.ts';
import { AccountRemoval, type AccountRemovalOptions } from '../accounts/deletion/service.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { stopFlows } from '../flows/stop-flows.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import { requestAllHookRemovals } from '../tracker-events/remove-hooks.ts';
import type { Foundation } from './foundation.ts';

/** Composes account deletion and data export. */
export function composeAccountDeletion(
  { connection, db, events, jobs, log, mails, now, requests }: Foundation,
  {
    activity,
    factorChecks,
    sessions,
    endPayments,
  }: Pick<AccountRemovalOptions, 'endPayments' | 'factorChecks'> & {
    activity: AccountActivity;
    sessions: Sessions;
  },
) {
  const exports = new AccountExport({ connection, now });
  const lock = new AccountLock({
    jobs,
    sessions,
    now,
    onLocked: async (transaction, accountId) => {
      await stopFlows(transaction, accountId, 'all', { events, now });
    },
  });
  const leaving = new AccountRemoval({
    db,
    activity,
    factorChecks,
    lock,
    log,
    mails,
    now,
    endPayments,
    onRemoved: (transaction, accountId) => requestAllHookRemovals(transaction, jobs, accountId),
    onAddressFree: requests.payments,
  });

  return {
    handlers: [handle(removeAccount, ({ account_id }, context) => leaving.remove(account_id, context))],
    resume: () => leaving.resume(),
    registerRoutes: (app: App, auth: Authentication) =>
      registerDeletionRoutes(app, {
        exports,
        leaving,
        recordExport: (userId, client) => activity.record(db, { userId, kind: 'account_exported', client }),
        auth,
      }),
  };
}
