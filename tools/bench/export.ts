import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { launch } from '../../packages/server/launch.mjs';
import { openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import type { Tables } from '../../packages/server/src/schema/tables.ts';
import { type ServerProcess, startServer } from '../../packages/server/src/testing/server-process.ts';
import { loadHadoop } from '../data/hadoop.ts';
import { insertIssues, insertProjects, issueOf, ownerOf } from '../data/search-account.ts';
import { type Api, eventually, PASSWORD, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { hundredths } from './shared/times.ts';

const ISSUES = 100_000;
const BATCH = 1_000;
const PROJECTS = 40;
const MIB = 2 ** 20;
const SAMPLE_INTERVAL_MS = 50;
const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/**
 * Measures how long it takes to export, delete, back up and restore an account. The account has a
 * hundred thousand issues with vectors.
 */
export async function run(emit: Emit): Promise<void> {
  const data = await loadHadoop();
  if (data === null) {
    process.stderr.write('export: skipped, the reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const server = await startServer({ timeoutMs: 120_000 });
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    await fill(server, api, data.reports);
    await measureExport(emit, server, api);
    await measureBackup(emit, server);
    await measureDeletion(emit, server, api);
  } finally {
    await server.remove();
  }
}

type Reports = NonNullable<Awaited<ReturnType<typeof loadHadoop>>>['reports'];

async function fill(server: ServerProcess, api: Api, reports: Reports): Promise<void> {
  await withDatabase(server, async (db) => {
    const accountId = await ownerOf(api);
    const place = await insertProjects(db, accountId, PROJECTS);
    for (let from = 0; from < ISSUES; from += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, index) => from + index);
      await insertIssues(
        db,
        numbers.map((number) => issueOf(number, { reports, vectors: [] }, accountId, place)),
      );
    }
    await sql`
      insert into issue_vector select account_id, id, 'bench', '\\x00', decode(repeat(md5(id::text), 48), 'hex') from issue
    `.execute(db);
  });
}

async function withDatabase(
  server: ServerProcess,
  work: (db: ReturnType<typeof openDatabase<Tables>>['db']) => Promise<void>,
): Promise<void> {
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  const database = openDatabase<Tables>(postgres.connection, { log, statementTimeoutMs: 0 });
  try {
    await work(database.db);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function measureExport(emit: Emit, server: ServerProcess, api: Api): Promise<void> {
  const memory = watchMemory(server.pid);
  const began = performance.now();
  const answer = await fetch(`${server.url}/api/v1/auth/account/export`, {
    headers: { authorization: `Bearer ${api.accessToken}` },
  });
  if (!answer.ok || answer.body === null) throw new Error(`The export returned ${answer.status}.`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  const seconds = (performance.now() - began) / 1000;
  emit({
    name: 'export of an account',
    value: Math.round(ISSUES / seconds),
    unit: 'issues/s',
    detail: { issues: ISSUES, seconds: hundredths(seconds), mib: Math.round(bytes / MIB) },
  });
  const { startMib, peakMib, quartersMib } = memory.end();
  emit({
    name: 'resident memory added by an export',
    value: peakMib - startMib,
    unit: 'MiB',
    detail: { start_mib: startMib, peak_mib: peakMib, highest_in_each_quarter_mib: quartersMib },
  });
}

async function measureBackup(emit: Emit, server: ServerProcess): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-backup-bench-'));
  const file = join(folder, 'winnow.backup');
  try {
    const backup = await winnow(['backup', file, '--with-key'], server.dataDir);
    const { size } = await stat(file);
    emit({
      name: 'backup',
      value: hundredths(backup.seconds),
      unit: 's',
      detail: { issues: ISSUES, mib: Math.round(size / MIB), peak_mib: backup.peakMib },
    });
    const restore = await winnow(['restore', file], join(folder, 'data'));
    emit({
      name: 'restore',
      value: hundredths(restore.seconds),
      unit: 's',
      detail: { peak_mib: restore.peakMib },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureDeletion(emit: Emit, server: ServerProcess, api: Api): Promise<void> {
  const began = performance.now();
  const answer = await fetch(`${server.url}/api/v1/auth/account`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${api.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', current_password: PASSWORD }),
  });
  if (answer.status !== 204) throw new Error(`Deleting the account returned ${answer.status}.`);
  await withDatabase(server, async (db) => {
    await eventually(
      async () => ((await db.selectFrom('account').select('id').execute()).length === 0 ? true : null),
      { timeoutMs: 600_000 },
    );
  });
  const seconds = hundredths((performance.now() - began) / 1000);
  emit({ name: 'deletion of an account', value: seconds, unit: 's', detail: { issues: ISSUES } });
}

/** Runs a Winnow command on a data folder until it ends. */
async function winnow(args: string[], dataDir: string): Promise<{ seconds: number; peakMib: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [...launch.flags, MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...launch.env, ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const memory = watchMemory(child.pid ?? 0);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said.join('')}`);
  return { seconds: (performance.now() - began) / 1000, peakMib: memory.end().peakMib };
}

/**
 * Samples the resident memory of a process until `end` is called.
 * `end` returns figures in MiB: the memory at the start, its peak, and the peak in each quarter of
 * the time.
 */
function watchMemory(pid: number) {
  const samples: number[] = [];
  const sample = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    if (kilobytes !== undefined) samples.push((Number(kilobytes) * 1024) / MIB);
  };
  void sample();
  const timer = setInterval(() => void sample(), SAMPLE_INTERVAL_MS);
  return {
    end() {
      clearInterval(timer);
      const quarter = Math.ceil(samples.length / 4);
      const highest = (values: number[]) => Math.round(Math.max(0, ...values));
      return {
        startMib: Math.round(samples[0] ?? 0),
        peakMib: highest(samples),
        quartersMib: [0, 1, 2, 3].map((index) =>
          highest(samples.slice(index * quarter, (index + 1) * quarter)),
        ),
      };
    },
  };
}
