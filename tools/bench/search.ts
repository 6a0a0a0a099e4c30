import { setTimeout as pause } from 'node:timers/promises';
import { issueDetail } from '@winnow/contract/issue-detail';
import { type SearchResults, searchResults, searchType } from '@winnow/contract/search';
import { openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import type { Tables } from '../../packages/server/src/schema/tables.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { fillAccount, openReports, type SearchBench } from '../data/search-account.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { measureMap } from './search/map.ts';
import { measureSearchRecall } from './search/recall.ts';
import { emitTimes, hundredths } from './shared/times.ts';

const ISSUES = 100_000;
const PROJECTS = 40;
const REQUESTS = 100;
/** Number of warm-up requests. A newly started server has not compiled its code yet. */
const WARM_UP_CALLS = 120;

/** Search queries by kind. `{}` is replaced by a number, so that each query is unique. */
const QUERIES: Record<string, string[]> = {
  'two common words': ['hadoop file', 'test error', 'exception when', 'hdfs fails', 'java version'],
  'a rare word': [
    'azurite',
    'krb5',
    'snappy',
    'quota',
    'jaxb',
    'xattr',
    'checkstyle',
    'rubix',
    'zstd',
    'umask',
  ],
  'a sentence': [
    'NameNode does not start after the upgrade when security is enabled',
    'the connection pool is exhausted when many files are opened at once',
    'distcp fails to copy files whose names contain a colon',
    'build fails on a Mac with an Apple processor because protoc is not found',
  ],
  'an unused word': ['xyzzy{}', 'plugh{}'],
  'a phrase': ['"filesystem closed"', '"connection reset by peer"', '"out of memory"'],
  'a phrase of common words': ['"in the"', '"the file"', '"does not"', '"to be"'],
};
const STACK_TRACE = `java.io.IOException: Filesystem closed
${Array.from({ length: 12 }, (_, line) => `\tat org.apache.hadoop.hdfs.DFSClient.checkOpen(DFSClient.java:${400 + line})`).join('\n')}`;

/**
 * Measures search over HTTP in an account of a hundred thousand issues. Also measures how well
 * labelled duplicates are found by title.
 * Each issue has the title of one Hadoop report and the description of another. The vector of an
 * issue is the vector of the report with the same title, plus noise. The account uses the word
 * statistics of the Hadoop reports, scaled up.
 */
export async function run(emit: Emit): Promise<void> {
  const reports = await openReports();
  if (reports === null) {
    process.stderr.write('search: skipped, the labelled reports are not in ../shared/data/gitbugs.\n');
    return;
  }
  await measureMap(emit, reports);
  const server = await startServer({ timeoutMs: 120_000 });
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  const database = openDatabase<Tables>(postgres.connection, { log, statementTimeoutMs: 0 });
  try {
    const bench: SearchBench = { db: database.db, reports };
    await measureSearchRecall(emit, bench, await registerAndSignIn(server.url, 'recall'));
    const api = await registerAndSignIn(server.url, 'bench');
    const began = performance.now();
    const account = await fillAccount(bench, api, ISSUES, PROJECTS);
    emit({
      name: 'index words',
      value: hundredths(account.indexMs / ISSUES),
      unit: 'ms/issue',
      detail: { issues: ISSUES },
    });
    process.stderr.write(
      `search: ${ISSUES} issues stored in ${hundredths((performance.now() - began) / 1000)} s.\n`,
    );
    const headers = { authorization: `Bearer ${api.accessToken}` };
    /** Returns the response and the time in milliseconds until it was complete. */
    const ask = async (query: Record<string, string>): Promise<{ answer: SearchResults; tookMs: number }> => {
      const startedAt = performance.now();
      const response = await fetch(`${server.url}/api/v1/search?${new URLSearchParams(query)}`, { headers });
      const text = await response.text();
      const tookMs = performance.now() - startedAt;
      if (response.status === 429) {
        // Waits, because the server limits the requests from one IP address.
        await pause(Number(response.headers.get('retry-after')) * 1000);
        return ask(query);
      }
      if (!response.ok) throw new Error(`${JSON.stringify(query)} returned ${text}`);
      return { answer: searchResults.parse(JSON.parse(text)), tookMs };
    };
    const loading = performance.now();
    while ((await ask({ query: 'loading' })).answer.notice !== null) await pause(500);
    process.stderr.write(
      `search: the index was loaded in ${hundredths((performance.now() - loading) / 1000)} s.\n`,
    );
    const cases = { ...QUERIES, 'a stack trace': [STACK_TRACE] };
    const all = Object.values(cases).flat();
    for (let index = 0; index < WARM_UP_CALLS; index += 1) {
      await ask({ query: filled(all, index), search_type: searchType.options[index % 3] ?? 'hybrid' });
    }
    const narrow = { project_id: account.projectIds[3] ?? '' };
    for (const search_type of searchType.options) {
      for (const [name, texts] of [
        ...Object.entries(cases),
        ['one project', QUERIES['a sentence'] ?? []] as const,
      ]) {
        const times: number[] = [];
        let found = 0;
        for (let index = 0; index < REQUESTS; index += 1) {
          const { answer, tookMs } = await ask({
            query: filled(texts, index),
            search_type,
            ...(name === 'one project' ? narrow : {}),
          });
          if (answer.notice !== null) throw new Error(`The search was degraded: ${answer.notice}`);
          times.push(tookMs);
          found += answer.total;
        }
        emitTimes(emit, `${search_type}, ${name}`, times, {
          issues: ISSUES,
          found: Math.round(found / REQUESTS),
        });
      }
    }
    const reads: number[] = [];
    for (let index = 0; index < REQUESTS; index += 1) {
      const number = (index * 7_919) % ISSUES;
      const key = `bench/project-${number % PROJECTS}#${number}`;
      const startedAt = performance.now();
      await api.get(`/issues/${encodeURIComponent(key)}`, issueDetail);
      reads.push(performance.now() - startedAt);
    }
    emitTimes(emit, 'one issue by its key', reads, { issues: ISSUES });
  } finally {
    await database.close();
    await postgres.stop();
    await server.remove();
  }
}

function filled(texts: readonly string[], index: number): string {
  return (texts[index % texts.length] ?? '').replace('{}', String(index));
}
