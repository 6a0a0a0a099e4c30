import { Readable } from 'node:stream';
import { createGzip, type Gzip } from 'node:zlib';
import { Client, type PoolConfig } from 'pg';
import { MINUTE_MS } from '../../platform/clock.ts';
import { conflict } from '../../platform/errors.ts';
import { copyOut } from '../../platform/postgres-copy.ts';
import { TAR_END, tarHeader, tarPadding } from '../../platform/tar.ts';
import { ExportSlots } from './export-slots.ts';
import { EXPORTED_TABLES, type ExportedTable } from './exported-tables.ts';

/**
 * Minimum speed before compression. A slower download is canceled, even if no other export waits.
 */
const MIN_BYTES_PER_MINUTE = 256 * 1024;
const EXPORT_RUNNING = 'Another export of this account is in progress. Wait until it ends.';

/** A file of the export: the rows of one table. */
interface Lines {
  name: string;
  query: string;
  rows: number;
  bytes: number;
}

/** Exports everything an account has, except secrets, as an archive of NDJSON files. */
export class AccountExport {
  readonly #connection: PoolConfig;
  readonly #now: () => Date;
  readonly #slots = new ExportSlots();

  constructor(options: { connection: PoolConfig; now: () => Date }) {
    this.#connection = options.connection;
    this.#now = options.now;
  }

  /**
   * Starts a gzipped tar of the account's current state, which is created while the client
   * downloads it. Throws 409 while another export of the account is in progress. If all slots are
   * taken, waits and cancels downloads that are too slow. Throws 429 if no slot becomes free.
   * Contains data of the user, such as sessions, only if the account is the user's own.
   */
  async start({ accountId, homeId }: { accountId: string; homeId: string }): Promise<Gzip> {
    const compressed = createGzip();
    const slot = await this.#slots.acquire((error) => compressed.destroy(error));
    const client = new Client({ ...this.#connection, application_name: 'winnow export' });
    // Ignored here: the query that fails reports a lost connection.
    client.on('error', () => undefined);
    const end = async () => {
      slot.release();
      await client.end();
    };
    try {
      await client.connect();
      await begin(client, accountId);
    } catch (error) {
      await end();
      throw error;
    }
    const source = Readable.from(archive(client, { accountId, isOwn: accountId === homeId }, this.#now()), {
      objectMode: false,
    });
    let taken = 0;
    const watch = setInterval(() => {
      if (taken < MIN_BYTES_PER_MINUTE)
        compressed.destroy(new Error('The export was stopped: the client reads too slowly.'));
      taken = 0;
    }, MINUTE_MS);
    source.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      slot.reportBytesRead(chunk.length);
    });
    // The client has another minute to read the remaining compressed data.
    source.on('end', () => watch.refresh());
    source.on('error', (error) => compressed.destroy(error));
    source.on('close', () => void end());
    // Stop reading from the database if the download is canceled.
    compressed.on('close', () => {
      clearInterval(watch);
      source.destroy();
    });
    return source.pipe(compressed);
  }
}

async function begin(client: Client, accountId: string): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('export:' || $1, 0)) as held",
    [accountId],
  );
  if (rows[0]?.held !== true) throw conflict('export_running', EXPORT_RUNNING);
  await client.query("set timezone = 'UTC'");
  await client.query('begin isolation level repeatable read read only');
}

/** Tables about the user whose own account it is. Other owners of the workspace do not get them. */
const PERSONAL_TABLES: ReadonlySet<string> = new Set([
  'account_event',
  'app_user',
  'authenticator',
  'device',
  'passkey',
  'session',
]);

async function* archive(
  client: Client,
  { accountId, isOwn }: { accountId: string; isOwn: boolean },
  now: Date,
): AsyncGenerator<Buffer> {
  const files: Lines[] = [];
  for (const [table, exported] of Object.entries(EXPORTED_TABLES)) {
    const isMeant = isOwn || !PERSONAL_TABLES.has(table);
    if ('file' in exported && isMeant) files.push(await measure(client, accountId, table, exported));
  }
  const readme = Buffer.from(readmeOf(files, now));
  yield tarHeader('README.md', readme.length, now);
  yield readme;
  yield tarPadding(readme.length);
  for (const { name, query, bytes } of files) {
    yield tarHeader(name, bytes, now);
    yield* copyOut(client, linesOf(query));
    yield tarPadding(bytes);
  }
  yield TAR_END;
}

/**
 * Returns the number of rows and the size of a file. A tar stores the size before the content, so
 * the database computes the size first, in the same snapshot.
 */
async function measure(
  client: Client,
  accountId: string,
  table: string,
  { file, columns }: ExportedTable,
): Promise<Lines> {
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const owner = table === 'account' ? 'id' : 'account_id';
  const query = `select row_to_json(line)::text as line from (
    select ${names} from ${client.escapeIdentifier(table)} where ${owner} = ${client.escapeLiteral(accountId)}
  ) as line`;
  const { rows } = await client.query<{ rows: string; bytes: string }>(
    `select count(*) as rows, coalesce(sum(octet_length(line) + 1), 0) as bytes from (${query}) as counted`,
  );
  return { name: `${file}.ndjson`, query, rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) };
}

/**
 * Returns a COPY statement that outputs the lines of a query without CSV quoting. JSON contains no
 * control characters, so these delimiters never occur.
 */
function linesOf(query: string): string {
  return `copy (${query}) to stdout (format csv, delimiter e'\\x02', quote e'\\x01')`;
}

function readmeOf(files: readonly Lines[], now: Date): string {
  const leftOut = Object.entries(EXPORTED_TABLES).flatMap(([table, exported]) =>
    'leftOut' in exported ? [`- \`${table}\`: ${exported.leftOut}`] : [],
  );
  return `# What Winnow stores about your account

As of ${now.toISOString()}. Each file has one JSON object a line, in UTF-8; times are in UTC. Columns that end in \`_id\` refer to
the \`id\` of another file. Keys, passwords and tokens are not included in any form.

| file | lines |
|---|---|
${files.map(({ name, rows }) => `| ${name} | ${rows} |`).join('\n')}

## What is left out
${leftOut.join('\n')}
`;
}
