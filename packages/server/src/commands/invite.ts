import { email } from '@winnow/contract/account';
import { Invitations } from '../accounts/invitations.ts';
import { MailedLinks } from '../accounts/mailed-links.ts';
import { systemClock } from '../platform/clock.ts';
import { publicUrlOf } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { command } from './command.ts';
import { withDatabase } from './with-database.ts';

/**
 * Creates an account that its owner can accept. Enqueues an email with the one-time link, and
 * prints the link.
 */
export const invite = command({
  name: 'invite',
  synopsis: 'invite EMAIL',
  summary: 'Create an account for a person, print its link and email it to them',
  takes: { operands: ['EMAIL'], options: {} },
  async run(config, { operands: [word] }) {
    const address = email.safeParse(word);
    if (!address.success) {
      process.stderr.write(`${word} is not an email address.\n`);
      return 2;
    }
    try {
      const link = await withDatabase(config, async ({ db, connection, log }) => {
        const secrets = await openSecretsOf(config, { connection, log });
        const mails = new MailQueue({
          jobs: new Jobs({ db, connection, log, exclusive: false }),
          secrets,
        });
        const publicUrl = publicUrlOf(config, config.port);
        const links = new MailedLinks({ mails, publicUrl: () => publicUrl, now: () => systemClock.now() });
        return new Invitations({ db, links }).invite(address.data);
      });
      process.stdout.write(
        `Invited ${address.data}. Winnow emails this link as soon as it runs; it is valid for seven days:\n${link}\n`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      process.stderr.write(`${error.detail}\n`);
      return 1;
    }
  },
});
