import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createdApiKey } from '@winnow/contract/api-key';
import { MCP_SCHEMAS, type McpToolName } from '@winnow/contract/mcp';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import { searchResults } from '@winnow/contract/search';
import { sql } from 'kysely';
import { z } from 'zod';
import { openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import type { Db, Tables } from '../../packages/server/src/schema/tables.ts';
import { type ServerProcess, startServer } from '../../packages/server/src/testing/server-process.ts';
import { fillAccount, openReports } from '../data/search-account.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { emitTimes, hundredths } from './shared/times.ts';

const ISSUES = 100_000;
const PROJECTS = 40;
const CALLS = 200;
/** Number of warm-up calls. A newly started server has not compiled its code yet. */
const WARM_UP_CALLS = 300;
/** Number of comments on each issue that the calls read. */
const COMMENTS = 5;
/** Number of concurrent calls while throughput is measured. */
const CONCURRENT_CALLS = 16;
const RUSH_MS = 10_000;
const REVISION = '2026-07-28';
/** Clock ticks per second in the processor times that Linux reports. */
const TICKS_PER_SECOND = 100;

const toolResponse = z.object({
  result: z.object({ isError: z.boolean().optional(), structuredContent: z.unknown() }),
});

/**
 * Measures the latency of `/mcp` in an account of a hundred thousand issues, and its throughput per
 * core.
 * Throughput is the number of calls per second of processor time. It is computed for the server
 * process with and without PostgreSQL.
 * Each search uses the title of a different report, so that the server must embed each text. Each
 * issue is read only once. The API key has only the scope `read`: with a key that may write, Winnow
 * asks the tracker for issues that were read over a minute ago.
 */
export async function run(emit: Emit): Promise<void> {
  const reports = await openReports();
  if (reports === null) {
    process.stderr.write('mcp: skipped, the labelled reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const server = await startServer({ timeoutMs: 120_000, env: { API_KEY_RATE_LIMIT: '1000000' } });
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  const database = openDatabase<Tables>(postgres.connection, { log, statementTimeoutMs: 0 });
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    const { accountId } = await fillAccount({ db: database.db, reports }, api, ISSUES, PROJECTS);
    const read = WARM_UP_CALLS + CALLS;
    await insertComments(
      database.db,
      accountId,
      Array.from({ length: read }, (_, call) => readIssueKey(call)),
    );
    const { key } = await api.send(
      'POST',
      '/auth/api-keys',
      { name: 'bench', scopes: ['read'] },
      createdApiKey,
    );
    const use = toolsOf(server, key);
    // Waits until the index is loaded. A notice may also mean that more results exist than the tool
    // lists.
    while ((await api.get('/search?query=loading', searchResults)).notice !== null) await pause(500);

    const titles = reports.reports.map(({ title }) => title);
    const search = (call: number) => use('search_issues', { query: titles[call % titles.length] ?? '' });
    const readIssue = (call: number) => use('get_issue', { issue: readIssueKey(call) });
    for (let call = 0; call < WARM_UP_CALLS; call += 1)
      await (call % 2 === 0 ? search(call) : readIssue(call));
    emitTimes(emit, 'search_issues', await timesOf((call) => search(WARM_UP_CALLS + call)), {
      issues: ISSUES,
    });
    emitTimes(emit, 'get_issue', await timesOf((call) => readIssue(WARM_UP_CALLS + call)), {
      issues: ISSUES,
      comments: COMMENTS,
    });
    emitTimes(emit, 'list_projects', await timesOf(() => use('list_projects', {})), { issues: ISSUES });

    await measureRush(emit, server, 'get_issue', (call) => readIssue(read + call));
    await measureRush(emit, server, 'one search in ten', (call) =>
      call % 10 === 0 ? search(read + call) : readIssue(read + call),
    );
  } finally {
    await database.close();
    await postgres.stop();
    await server.remove();
  }
}

/**
 * Returns the key of the issue that a call reads. The first hundred thousand calls read different
 * issues.
 */
function readIssueKey(call: number): string {
  const number = (call * 7_919) % ISSUES;
  return `bench/project-${number % PROJECTS}#${number}`;
}

async function insertComments(db: Db, accountId: string, keys: readonly string[]): Promise<void> {
  await sql`
    insert into comment (account_id, id, issue_id, external_id, author, body, created_at, updated_at)
    select account_id, gen_random_uuid(), id, key || ':' || number, 'ada', repeat('It happens here too. ', 10), now(), now()
    from issue, generate_series(1, ${COMMENTS}::int) as number
    where account_id = ${accountId} and key = any (${keys}::text[])
  `.execute(db);
}

/** Makes concurrent calls for some time and counts failures. */
async function measureRush(
  emit: Emit,
  server: ServerProcess,
  name: string,
  use: (call: number) => Promise<unknown>,
): Promise<void> {
  const before = await processorSeconds(server);
  const began = performance.now();
  let made = 0;
  let errors = 0;
  const keepCalling = async () => {
    while (performance.now() - began < RUSH_MS) {
      made += 1;
      await use(made).catch(() => {
        errors += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, keepCalling));
  const seconds = (performance.now() - began) / 1000;
  const after = await processorSeconds(server);
  const detail = { at_once: CONCURRENT_CALLS, errors };
  emit({ name: `${name}, concurrent`, value: hundredths(made / seconds), unit: 'calls/s', detail });
  if (before === null || after === null) return;
  const unit = 'calls/s of processor time';
  const node = after.node - before.node;
  const both = node + after.postgres - before.postgres;
  // The main thread handles calls. Other threads compile code, collect garbage and search the
  // index.
  const threads = {
    main_ms_per_call: hundredths(((after.main - before.main) * 1_000) / made),
    other_ms_per_call: hundredths(((node - after.main + before.main) * 1_000) / made),
    postgres_ms_per_call: hundredths(((after.postgres - before.postgres) * 1_000) / made),
  };
  emit({
    name: `${name}, one core of Node`,
    value: hundredths(made / node),
    unit,
    detail: { ...detail, ...threads },
  });
  emit({ name: `${name}, one core of Node and PostgreSQL`, value: hundredths(made / both), unit, detail });
}

/**
 * Returns a client that calls MCP tools. The client throws if a tool fails, or if the result does
 * not match the schema.
 */
function toolsOf({ url }: ServerProcess, key: string) {
  return async <T extends McpToolName>(
    tool: T,
    input: z.input<(typeof MCP_SCHEMAS)[T]['input']>,
  ): Promise<z.output<(typeof MCP_SCHEMAS)[T]['output']>> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: tool, arguments: input, _meta };
    const response = await fetch(`${url}${MCP_PATH}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': REVISION,
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${tool} returned ${response.status}: ${text}`);
    const { result } = toolResponse.parse(JSON.parse(text));
    if (result.isError) throw new Error(`${tool} failed: ${text}`);
    return MCP_SCHEMAS[tool].output.parse(result.structuredContent) as never;
  };
}

async function timesOf(act: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const startedAt = performance.now();
    await act(index);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Processor time in seconds. */
interface ProcessorTime {
  /** Time of the server process, including all its threads. */
  node: number;
  /** Time of the main thread of the server process. */
  main: number;
  postgres: number;
}

/** Returns the processor time that the server has used. Null if the system does not report it. */
async function processorSeconds({ pid }: ServerProcess): Promise<ProcessorTime | null> {
  try {
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const stats = new Map(
      (await Promise.all(processes.map((process) => readStat(process)))).flatMap((stat) =>
        stat === null ? [] : [[stat.pid, stat]],
      ),
    );
    let postgres = 0;
    for (const stat of stats.values()) {
      if (stat.name === 'postgres' && isBelow(stats, stat.pid, pid)) postgres += stat.seconds;
    }
    const node = stats.get(pid)?.seconds;
    const main = (await readStat(pid, `${pid}/task/${pid}`))?.seconds;
    return node === undefined || main === undefined ? null : { node, main, postgres };
  } catch {
    return null;
  }
}

interface ProcessStat {
  pid: number;
  name: string;
  parent: number;
  seconds: number;
}

/** Reads the statistics of a process or thread. Returns null if it has ended. */
async function readStat(pid: number, folder = String(pid)): Promise<ProcessStat | null> {
  const stat = await readFile(`/proc/${folder}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const seconds = ((fields[11] ?? 0) + (fields[12] ?? 0)) / TICKS_PER_SECOND;
  return { pid, name, parent: fields[1] ?? 0, seconds };
}

function isBelow(stats: ReadonlyMap<number, ProcessStat>, pid: number, above: number): boolean {
  for (let at = stats.get(pid); at !== undefined; at = stats.get(at.parent)) {
    if (at.parent === above) return true;
  }
  return false;
}
