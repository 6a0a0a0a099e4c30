import { acceptKey, isBeingReplaced, isInstallKey, keyProblem } from '../platform/install-key.ts';
import { keyFileOf, readSecrets, SecretKeyRefused } from '../platform/secrets.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { withDatabase } from './with-database.ts';

/** What is typed to have the former key given up. */
const CONFIRMATION = 'lost';

/** Makes the present key the one of the database, for an operator who has lost the former. */
export const acceptPresentKey = command({
  name: 'accept-key',
  synopsis: 'accept-key [--yes]',
  summary: 'Use this key from now on, when the one the database was first used with is lost',
  details: `Stop Winnow first. The present key is SECRET_KEY, or the file secret.key in DATA_DIR; none is made here. What was sealed
under the former key cannot be read any more: the tokens of the trackers are to be entered again.

  --yes                 without the question whether the former key is lost`,
  takes: { operands: [], options: { yes: { type: 'boolean' } } },
  async run(config, { values: { yes } }) {
    const secrets = await readSecrets(config);
    if (secrets === null) {
      throw new SecretKeyRefused(
        `There is no key to accept: SECRET_KEY is not set, and there is no ${keyFileOf(config.dataDir)}. Set the one, or put the other back. For a new key file start Winnow once: it makes one, and ends.`,
      );
    }
    return withDatabase(
      config,
      async ({ db }) => {
        if (await isBeingReplaced(db, config.dataDir)) {
          const without = config.secretKey === undefined ? '' : ' without SECRET_KEY';
          throw new SecretKeyRefused(
            `The database’s key is here: it is secret.key.next in DATA_DIR, of a "winnow rotate-key" that was interrupted. Run "winnow rotate-key"${without}: it ends what it began.`,
          );
        }
        if (await isInstallKey(db, secrets)) {
          process.stdout.write('This key is the database’s own already.\n');
          return 0;
        }
        const isOther = (await keyProblem(db, secrets, config)) !== null;
        if (isOther && !yes && !(await confirm(WARNING, CONFIRMATION))) {
          process.stderr.write('Nothing was changed.\n');
          return 1;
        }
        await acceptKey(db, secrets);
        process.stdout.write('The key is accepted. Enter the tokens of the trackers again.\n');
        return 0;
      },
      { alone: 'accept-key' },
    );
  },
});

const WARNING =
  'The database was used with another key. Every token, key and waiting mail that is sealed under it can never be read again: go on only when that key is lost.';
