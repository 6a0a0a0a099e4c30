import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { openLog } from '../log.ts';

// For the tests of the life cycle: a process that does with the embedded PostgreSQL what Winnow does, and nothing else.
// Its first argument is the data folder; `attach` and `durable` may follow. It writes one line of JSON when ready, or when
// refused.

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
