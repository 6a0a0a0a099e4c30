import { Readable } from 'node:stream';
import { createGzip, type Gzip } from 'node:zlib';
import { Client, type PoolConfig } from 'pg';
import { conflict } from '../../platform/errors.ts';
import { copyOut } from '../../platform/postgres-copy.ts';
import { TAR_END, tarHeader, tarPadding } from '../../platform/tar.ts';
import { ExportPlaces } from './export-places.ts';
import { EXPORTED_TABLES, type ExportedTable } from './exported-tables.ts';

const MINUTE_MS = 60_000;
/** Before compression. A download that takes less is cut, even where no other export waits. */
const LEAST_BYTES_A_MINUTE = 256 * 1024;
const ALREADY = 'Another export of this account is on its way. Wait until it ends.';

/** A file of the export: the lines of one table. */
interface Lines {
  name: string;
  query: string;
  rows: number;
  bytes: number;
}

/** Everything an account has, without its secrets, as one archive of files with a line of JSON for each row. */
export class AccountExport {
  readonly #connection: PoolConfig;
  readonly #now: () => Date;
  readonly #places = new ExportPlaces();

  constructor(options: { connection: PoolConfig; now: () => Date }) {
    this.#connection = options.connection;
    this.#now = options.now;
  }

  /**
   * A gzipped tar of the account as it is at this moment, made while it is read. 409 while another export of the account is
   * on its way. Waits while others take all places, and cuts the slowest of them; 429 when none gets free.
   */
  async start(accountId: string): Promise<Gzip> {
    const compressed = createGzip();
    const place = await this.#places.enter((error) => compressed.destroy(error));
    const client = new Client({ ...this.#connection, application_name: 'winnow export' });
    // Whoever waits for the connection is told by the failing query.
    client.on('error', () => undefined);
    const end = async () => {
      place.leave();
      await client.end();
    };
    try {
      await client.connect();
      await begin(client, accountId);
    } catch (error) {
      await end();
      throw error;
    }
    const source = Readable.from(archive(client, accountId, this.#now()), { objectMode: false });
    let taken = 0;
    const watch = setInterval(() => {
      if (taken < LEAST_BYTES_A_MINUTE) compressed.destroy(new Error('The export is read too slowly.'));
      taken = 0;
    }, MINUTE_MS);
    source.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      place.took(chunk.length);
    });
    // What is compressed and not read yet has a minute of its own.
    source.on('end', () => watch.refresh());
    source.on('error', (error) => compressed.destroy(error));
    source.on('close', () => void end());
    // A download that was broken off ends the reading as well.
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
  if (rows[0]?.held !== true) throw conflict('export_running', ALREADY);
  await client.query("set timezone = 'UTC'");
  await client.query('begin isolation level repeatable read read only');
}

async function* archive(client: Client, accountId: string, now: Date): AsyncGenerator<Buffer> {
  const files: Lines[] = [];
  for (const [table, exported] of Object.entries(EXPORTED_TABLES)) {
    if ('file' in exported) files.push(await measure(client, accountId, table, exported));
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

/** A tar tells the size of a file before its content, so the database adds it up first; both see the same moment. */
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

/** JSON has no control characters in it, so that with these two nothing is ever quoted: the lines come as they are. */
function linesOf(query: string): string {
  return `copy (${query}) to stdout (format csv, delimiter e'\\x02', quote e'\\x01')`;
}

function readmeOf(files: readonly Lines[], now: Date): string {
  const leftOut = Object.entries(EXPORTED_TABLES).flatMap(([table, exported]) =>
    'leftOut' in exported ? [`- \`${table}\`: ${exported.leftOut}`] : [],
  );
  return `# What Winnow holds of your account

As of ${now.toISOString()}. Each file has one JSON object a line, in UTF-8; times are in UTC. Columns that end in \`_id\` refer to
the \`id\` of another file. Keys, passwords and tokens are not in it, in no form.

| file | lines |
|---|---|
${files.map(({ name, rows }) => `| ${name} | ${rows} |`).join('\n')}

## What is left out
${leftOut.join('\n')}
`;
}
