import { acceptKey, isBeingReplaced, isInstallKey, keyProblem } from '../platform/install-key.ts';
import { keyFileOf, readSecrets, SecretKeyRefused } from '../platform/secrets.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/** Word that the operator must type to confirm that the previous key is lost. */
const CONFIRMATION = 'lost';

/** Makes the current key the key of the database. For operators who have lost the previous key. */
export const acceptCurrentKey = command({
  name: 'accept-key',
  synopsis: 'accept-key [--yes]',
  summary: 'Accept the current key after the original key was lost',
  details: `Stop Winnow first. The current key is SECRET_KEY, or the file secret.key in DATA_DIR; none is created here. Secrets
sealed with the previous key become unreadable: enter the tokens of the trackers again afterwards.

  --yes                 do not ask for confirmation`,
  takes: { operands: [], options: { yes: { type: 'boolean' } } },
  async run(config, { values: { yes } }) {
    const secrets = await readSecrets(config);
    if (secrets === null) {
      throw new SecretKeyRefused(
        `There is no key to accept: SECRET_KEY is not set, and ${keyFileOf(config.dataDir)} does not exist. Set SECRET_KEY, or restore the file. For a new key file, start Winnow once: it creates one and exits.`,
      );
    }
    return withDatabase(
      config,
      async ({ db }) => {
        if (await isBeingReplaced(db, config.dataDir)) {
          const without = config.secretKey === undefined ? '' : ' without SECRET_KEY';
          throw new SecretKeyRefused(
            `The database’s key is secret.key.next in DATA_DIR, from a "winnow rotate-key" that was interrupted. Run "winnow rotate-key"${without} to complete it.`,
          );
        }
        if (await isInstallKey(db, secrets)) {
          process.stdout.write('This is the database’s key already.\n');
          return 0;
        }
        const isOther = (await keyProblem(db, secrets, config)) !== null;
        if (isOther && !yes && !(await confirm(WARNING, CONFIRMATION))) {
          process.stderr.write('Nothing was changed.\n');
          return 1;
        }
        await acceptKey(db, secrets);
        process.stdout.write('The key was accepted. Enter the tokens of the trackers again.\n');
        return 0;
      },
      { alone: 'accept-key' },
    );
  },
});

const WARNING =
  'The database was used with another key. Tokens, keys and waiting emails sealed with it become unreadable forever: continue only if that key is lost.';
