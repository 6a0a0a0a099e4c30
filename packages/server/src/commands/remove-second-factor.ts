import { AccountActivity } from '../accounts/activity.ts';
import { findByNameOrAddress, removeByOperator } from '../accounts/second-factors/operator-removal.ts';
import { SecurityMails } from '../accounts/security-emails.ts';
import { systemClock } from '../platform/clock.ts';
import { publicUrlOf } from '../platform/config.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/** Removes the second factors of a user who has lost them. */
export const removeSecondFactor = command({
  name: 'remove-second-factor',
  synopsis: 'remove-second-factor USER [--yes]',
  summary: 'Remove the second factors of a user who lost them',
  details: `USER is a username or an email address. The authenticator app, the passkeys and the recovery codes are
removed. Winnow may be running. The user then signs in with the password only, is mailed, and sees the
removal under Settings, Security. Make sure first that the request comes from this user.

  --yes                 do not ask for confirmation`,
  takes: { operands: ['USER'], options: { yes: { type: 'boolean' } } },
  async run(config, { operands: [name], values }) {
    return withDatabase(config, async ({ db, connection, log }) => {
      const user = await findByNameOrAddress(db, name);
      if (user === undefined) {
        process.stderr.write('No user has this username or email address.\n');
        return 1;
      }
      const { email, username } = user;
      const warning = `The authenticator app, the passkeys and the recovery codes of ${username} (${email}) will be removed.`;
      if (!values.yes && !(await confirm(warning, email))) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const now = () => systemClock.now();
      const secrets = await openSecretsOf(config, { connection, log });
      const jobs = new Jobs({ db, connection, log, exclusive: false });
      const publicUrl = publicUrlOf(config, config.port);
      const securityMails = new SecurityMails({
        mails: new MailQueue({ jobs, secrets }),
        publicUrl: () => publicUrl,
        now,
      });
      const activity = new AccountActivity({ log, now });
      if (!(await removeByOperator({ db, activity, securityMails }, user))) {
        process.stderr.write('This user has no second factor.\n');
        return 1;
      }
      process.stdout.write(`${email} can sign in with the password only.\n`);
      return 0;
    });
  },
});
