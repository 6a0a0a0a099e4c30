import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { openLog } from '../log.ts';

// Process for tests that opens and closes the embedded PostgreSQL like Winnow, and does nothing
// else. Arguments: the data folder, then optionally `attach` and `durable`. Prints one line of JSON
// when the database is ready or refused.

const [dataDir = '', ...wishes] = process.argv.slice(2);
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: openLog({ level: 'warn' }),
    ifInUse: wishes.includes('attach') ? 'attach' : 'refuse',
    durable: wishes.includes('durable'),
  });
  process.once('SIGTERM', () => {
    postgres.stop().then(() => process.exit(0), fail);
  });
  say({ connection: postgres.connection });
  setInterval(() => undefined, 60_000);
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  say({ refused: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
