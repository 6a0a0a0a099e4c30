import { AccountExport } from '../accounts/deletion/export.ts';
import { removeAccount } from '../accounts/deletion/job.ts';
import { registerDeletionRoutes } from '../accounts/deletion/routes.ts';
import { AccountRemoval, type AccountRemovalOptions } from '../accounts/deletion/service.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import { requestAllHookRemovals } from '../tracker-events/remove-hooks.ts';
import type { AccountServices } from './accounts.ts';
import type { Foundation } from './foundation.ts';

/** Composes account deletion and data export. */
export function composeAccountDeletion(
  { connection, db, jobs, log, mails, now, requests }: Foundation,
  {
    accountServices: { activity, actorOf, audit, factorChecks, lock, workspaces },
    endPayments,
  }: Pick<AccountRemovalOptions, 'endPayments'> & {
    accountServices: Pick<
      AccountServices,
      'activity' | 'actorOf' | 'audit' | 'factorChecks' | 'lock' | 'workspaces'
    >;
  },
) {
  const exports = new AccountExport({ connection, now });
  const leaving = new AccountRemoval({
    db,
    activity,
    factorChecks,
    lock,
    log,
    mails,
    now,
    endPayments,
    prepareDeparture: (transaction, user, client) => workspaces.prepareDeparture(transaction, user, client),
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
        recordExport: async (user, client) => {
          const { id, name } = await actorOf(user);
          await activity.record(db, { userId: user.userId, kind: 'account_exported', client });
          const actor = { type: 'user', id: id ?? null, name } as const;
          await audit.record(db, user.accountId, { kind: 'data_exported', actor, client });
        },
        auth,
      }),
  };
}
