import { readFile } from 'node:fs/promises';
import { PAIRS_PER_ISSUE } from '@winnow/contract/duplicate';
import { sql } from 'kysely';
import { Clusters } from '../../packages/server/src/clusters/service.ts';
import { type StoredScore, upsertScores } from '../../packages/server/src/duplicates/store.ts';
import { Issues } from '../../packages/server/src/issues/service.ts';
import { type Database, openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
// Declares the options of routes, for the types of the features that clusters import.
import type {} from '../../packages/server/src/platform/http/fair-share.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import type { Db, Tables } from '../../packages/server/src/schema/tables.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { loadHadoop } from '../data/hadoop.ts';
import { insertIssues, insertProjects, issueOf, ownerOf } from '../data/search-account.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { randomOf } from './shared/random.ts';
import { hundredths, percentiles } from './shared/times.ts';

const ISSUES = 10_000;
const MANY_ISSUES = Number(process.env.BENCH_CLUSTER_ISSUES ?? 100_000);
/** Share of the issues that are added, to measure how many cluster ids stay the same. */
const ADDED_SHARE = 0.01;
const EDITS = 200;
const BATCH = 1_000;
/**
 * Share of random pairs that can merge clusters. Their probability is above 0.15. All other pairs
 * are between 0.01 and 0.1.
 */
const LINK_SHARE = 0.02;
/** Clock ticks per second in /proc/PID/stat. */
const TICKS_PER_SECOND = 100;
const { signal } = new AbortController();

/**
 * Measures the job that clusters stored pairs.
 * It clusters all issues of an account, then 1 % of added issues, and then the pairs of one changed
 * issue among a hundred thousand. Texts are real, pairs are random.
 * Values are processor time of Node.js and PostgreSQL, because processor time limits the speed of
 * the job.
 */
export async function run(emit: Emit): Promise<void> {
  const data = await loadHadoop();
  if (data === null) {
    process.stderr.write('cluster-job: skipped, the reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  const server = await startServer({ timeoutMs: 120_000 });
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  // A single connection ensures that one PostgreSQL process does all measured work.
  const database = openDatabase<Tables>(postgres.connection, { log, statementTimeoutMs: 0, max: 1 });
  try {
    const fill = async (name: string, count: number) => {
      const accountId = await ownerOf(await registerAndSignIn(server.url, name));
      return newAccount(database.db, accountId, data.reports, count);
    };
    const some = await fill('some', ISSUES);
    await measureAll(emit, database, some);
    await measureAdded(emit, database, some);
    const many = await fill('many', MANY_ISSUES);
    await measureAll(emit, database, many);
    await measureEdits(emit, database, many);
  } finally {
    await database.close();
    await postgres.stop();
    await server.remove();
  }
}

type Reports = NonNullable<Awaited<ReturnType<typeof loadHadoop>>>['reports'];

/** An account with issues and pairs, to be clustered. */
interface Account {
  db: Db;
  id: string;
  issues: string[];
  /** Adds issues, with random pairs to earlier issues. */
  add: (count: number) => Promise<void>;
  clusters: Clusters;
  random: () => number;
}

async function newAccount(db: Db, id: string, reports: Reports, count: number): Promise<Account> {
  const projects = await insertProjects(db, id, 10);
  const random = randomOf(count);
  const issues: string[] = [];
  const add = async (added: number) => {
    const from = issues.length;
    for (let at = from; at < from + added; at += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, from + added - at) }, (_, index) => at + index);
      const rows = numbers.map((number) => issueOf(number, { reports, vectors: [] }, id, projects));
      await insertIssues(db, rows);
      issues.push(...rows.map((row) => row.id));
    }
    for (let at = from; at < issues.length; at += BATCH) {
      const places = Array.from({ length: Math.min(BATCH, issues.length - at) }, (_, index) => at + index);
      const scores = places.flatMap((place) => pairsOf(place, issues, random));
      await db.transaction().execute((transaction) => upsertScores(transaction, id, RUN, scores));
    }
  };
  await add(count);
  await sql`vacuum analyze`.execute(db);
  const clusters = new Clusters({
    db,
    issues: new Issues(db),
    now: () => new Date(),
    publish: async () => undefined,
    onGrown: async () => undefined,
    listBusy: async () => new Set(),
    rejectProposals: async () => [],
  });
  return { db, id, issues, add, clusters, random };
}

const RUN = { startedAt: new Date(0), snapshotVersion: 1 };

/** Returns random pairs of the issue at index `place` with older issues. */
function pairsOf(place: number, issues: readonly string[], random: () => number): StoredScore[] {
  const older = new Set<string>();
  while (older.size < Math.min(PAIRS_PER_ISSUE - 1, place)) {
    older.add(issues[Math.floor(random() * place)] ?? '');
  }
  return Array.from(older, (otherId) => {
    const probability = random() < LINK_SHARE ? 0.15 + 0.75 * random() : 0.01 + 0.09 * random();
    return scoreOf(issues[place] ?? '', otherId, probability);
  });
}

function scoreOf(issueId: string, otherId: string, probability: number): StoredScore {
  const logOdds = Math.log(probability / (1 - probability));
  return { issueId, otherId, similarity: 0.6, logOdds, isMutualBest: false };
}

async function measureAll(emit: Emit, database: Database<Tables>, account: Account): Promise<void> {
  const all = await timed(database, () => account.clusters.update(account.id, signal));
  const clusters = await idsOf(account);
  const detail = { issues: account.issues.length, clusters: clusters.size, ...all };
  emit({ name: 'all clusters from stored pairs', value: all.processor_ms, unit: 'ms', detail });
}

async function measureAdded(emit: Emit, database: Database<Tables>, account: Account): Promise<void> {
  const before = await idsOf(account);
  const added = Math.round(account.issues.length * ADDED_SHARE);
  await account.add(added);
  const time = await timed(database, () => account.clusters.update(account.id, signal));
  const after = await idsOf(account);
  const kept = [...before].filter((id) => after.has(id)).length;
  const detail = { issues: account.issues.length, added, clusters: before.size, kept, ...time };
  emit({ name: 'ids that remain when 1 % is added', value: kept / before.size, unit: 'ratio', detail });
}

/**
 * Changes the text of many issues, one after the other. After each change, updates one pair of the
 * issue, as the analysis would.
 */
async function measureEdits(emit: Emit, database: Database<Tables>, account: Account): Promise<void> {
  const { db, id, issues, random, clusters } = account;
  const times: Awaited<ReturnType<typeof timed>>[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const issueId = issues[Math.floor(random() * issues.length)] ?? '';
    const otherId = issues[Math.floor(random() * issues.length)] ?? '';
    await sql`
      update issue set title = title || '.', content_hash = ${`edit ${edit}`}
      where account_id = ${id} and id = ${issueId}
    `.execute(db);
    const score = scoreOf(issueId, otherId, 0.5);
    await db.transaction().execute((transaction) => upsertScores(transaction, id, RUN, [score]));
    times.push(await timed(database, () => clusters.update(id, signal)));
  }
  const { p50, p95 } = percentiles(times.map(({ wall_ms }) => wall_ms));
  const total = times.reduce((sum, { processor_ms }) => sum + processor_ms, 0);
  const detail = {
    issues: issues.length,
    edits: EDITS,
    p50,
    mean_processor_ms: hundredths(total / EDITS),
  };
  emit({ name: 'clusters of one changed issue, p95', value: p95, unit: 'ms', detail });
}

async function idsOf({ db, id }: Account): Promise<Set<string>> {
  const rows = await db.selectFrom('cluster').select('id').where('account_id', '=', id).execute();
  return new Set(rows.map((row) => row.id));
}

/**
 * Returns the processor time that `work` takes in Node.js and in PostgreSQL. The time of PostgreSQL
 * is null if it is unknown.
 */
async function timed({ db }: Database<Tables>, work: () => Promise<void>) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const pid = rows[0]?.pid ?? 0;
  const [startedMs, node, postgres] = [performance.now(), process.cpuUsage(), await processorMs(pid)];
  await work();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(node);
  const nodeMs = (user + system) / 1000;
  const ended = await processorMs(pid);
  const postgresMs = postgres === null || ended === null ? null : ended - postgres;
  return {
    processor_ms: Math.round(nodeMs + (postgresMs ?? 0)),
    node_ms: Math.round(nodeMs),
    postgres_ms: postgresMs,
    wall_ms: hundredths(wallMs),
  };
}

/**
 * Returns the processor time of a process in milliseconds. Null if the system does not report it.
 */
async function processorMs(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (status === null) return null;
  // The name of the process is in parentheses and may contain spaces.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}
