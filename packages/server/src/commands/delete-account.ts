import { email } from '@winnow/contract/account';
import { Leaving } from '../accounts/leaving/service.ts';
import { Sessions } from '../accounts/sessions.ts';
import { findUserByEmail } from '../accounts/store.ts';
import { stopAllFlows } from '../flows/stop-all.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { openEvents } from '../platform/events.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/** Locks somebody's account, as if they had left themselves; a Winnow that works off jobs removes it. */
export async function deleteAccount(config: Config, args: readonly string[]): Promise<number> {
  const [address, option, ...others] = args;
  const parsed = email.safeParse(address);
  if (!parsed.success || others.length > 0 || (option !== undefined && option !== '--yes')) {
    process.stderr.write('Say whose account: winnow delete-account name@example.com [--yes]\n');
    return 2;
  }
  return withDatabase(config, async ({ db, connection, log }) => {
    const user = await findUserByEmail(db, parsed.data);
    if (!user) {
      process.stderr.write('Nobody has this e-mail address.\n');
      return 1;
    }
    const warning = `Everything in the account of ${user.username} (${user.email}) is removed for good.`;
    if (option !== '--yes' && !(await confirm(warning, user.email))) {
      process.stderr.write('Nothing was changed.\n');
      return 1;
    }
    const now = () => systemClock.now();
    const secrets = await openSecretsOf(config, { connection, log });
    const jobs = new Jobs({ db, connection, log, exclusive: false });
    const events = await openEvents<AccountEvent>({ connection, db, log });
    try {
      const sessions = new Sessions({
        db,
        accessKey: secrets.derive('access-token'),
        refreshKey: secrets.derive('refresh-token'),
        now,
        onRevoked: (transaction, accountId, sessionId) =>
          events.publish(accountId, { type: 'session_revoked', session_id: sessionId }, { db: transaction }),
      });
      const leaving = new Leaving({
        db,
        jobs,
        sessions,
        mails: new MailQueue({ jobs, secrets }),
        log,
        now,
        onLocked: (transaction, accountId) => stopAllFlows(transaction, accountId, now()),
        // A Winnow that works off jobs does the rest.
        endPayments: null,
        onRemoved: async () => undefined,
      });
      await db.transaction().execute((transaction) => leaving.lock(transaction, user.account_id));
    } finally {
      await events.close();
    }
    process.stdout.write(
      `The account of ${user.email} is locked. Winnow removes it as soon as it works off jobs.\n`,
    );
    return 0;
  });
}
