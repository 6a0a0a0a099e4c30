import { email } from '@winnow/contract/account';
import { Accounts } from '../accounts/service.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, publicUrlOf } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { migrate } from '../platform/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import type { Tables } from '../schema/tables.ts';
import { openPostgres } from './open-postgres.ts';

/** Makes an account that waits for its owner, and mails the one-time link to it. */
export async function invite(config: Config, args: readonly string[]): Promise<number> {
  const address = email.safeParse(args[0] ?? '');
  if (!address.success) {
    process.stderr.write('Say whom to invite: winnow invite name@example.com\n');
    return 2;
  }
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log, 'attach');
  const database = openDatabase<Tables>(postgres.connection, { log });
  try {
    await migrate({ connection: postgres.connection, migrations, log });
    const secrets = await openSecretsOf(config, { connection: postgres.connection, log });
    const accounts = new Accounts({
      db: database.db,
      accessKey: secrets.derive('access-token'),
      refreshKey: secrets.derive('refresh-token'),
      now: () => systemClock.now(),
    });
    const { token } = await accounts.invite(address.data);
    const link = new URL('/welcome', publicUrlOf(config, config.port));
    link.search = new URLSearchParams({
      username: address.data.split('@', 1)[0] ?? '',
      email: address.data,
      token,
    }).toString();
    const mailer = await createMailer({
      ...(config.smtpUrl === null ? {} : { smtpUrl: config.smtpUrl }),
      from: config.mailFrom,
      dataDir: config.dataDir,
      log,
    });
    await mailer.send({ to: address.data, kind: 'invitation', ...invitation(link.href) });
    mailer.close();
    process.stdout.write(`Invited ${address.data}. The link in the mail holds for seven days.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stderr.write(`${error.detail}\n`);
    return 1;
  } finally {
    await database.close();
    await postgres.stop();
  }
}

function invitation(link: string): { subject: string; text: string; html: string } {
  const invited = 'You have been invited to Winnow.';
  const todo = 'Choose a password to begin. The link holds for seven days and can be used once:';
  return {
    subject: 'Your Winnow account',
    text: `${invited}\n\n${todo}\n\n${link}\n`,
    html: `<p>${invited}</p><p>${todo}</p><p><a href="${link.replaceAll('&', '&amp;')}">Choose a password</a></p>`,
  };
}
