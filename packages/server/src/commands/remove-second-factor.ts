import { AccountActivity } from '../accounts/activity.ts';
import { removeByOperator } from '../accounts/second-factors/service.ts';
import { findByAddress } from '../accounts/service.ts';
import { systemClock } from '../platform/clock.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/** Removes the authenticator app of a user who has lost it and the recovery codes. */
export const removeSecondFactor = command({
  name: 'remove-second-factor',
  synopsis: 'remove-second-factor EMAIL [--yes]',
  summary: 'Remove the authenticator app of a user who lost it',
  details: `Winnow may be running. The user then signs in with the password only, and sees the removal under
Settings, Security. Make sure first that the request comes from this user.

  --yes                 do not ask for confirmation`,
  takes: { operands: ['EMAIL'], options: { yes: { type: 'boolean' } } },
  async run(config, { operands: [address], values }) {
    return withDatabase(config, async ({ db, log }) => {
      const owner = await findByAddress(db, address);
      if (owner === null) {
        process.stderr.write('No account has this email address.\n');
        return 1;
      }
      const warning = `The authenticator app and the recovery codes of ${owner.username} (${owner.email}) will be removed.`;
      if (!values.yes && !(await confirm(warning, owner.email))) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const activity = new AccountActivity({ log, now: () => systemClock.now() });
      if (!(await removeByOperator({ db, activity }, owner.accountId))) {
        process.stderr.write('This user has no authenticator app.\n');
        return 1;
      }
      process.stdout.write(`${owner.email} can sign in with the password only.\n`);
      return 0;
    });
  },
});
