import { Corpus } from '@winnow/analysis/corpus';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { encodeSnapshot } from '@winnow/analysis/snapshot';
import { openDatabase } from '../../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../../../packages/server/src/platform/log.ts';
import type { Db, Tables } from '../../../packages/server/src/schema/tables.ts';
import { startServer } from '../../../packages/server/src/testing/server-process.ts';
import { loadHadoop } from '../../data/hadoop.ts';
import { insertIssues, insertProjects, issueOf, ownerOf } from '../../data/search-account.ts';
import { type Api, registerAndSignIn } from '../../product/api.ts';

export const ISSUES = 10_000;
const BATCH = 1_000;
/** Length of the vectors of the model all-MiniLM-L6-v2. */
const DIMENSIONS = 384;
const POLL_INTERVAL_MS = 25;

/** A running server with one project of ten thousand issues that have not been analyzed. */
export interface WholeProject {
  api: Api;
  db: Db;
  accountId: string;
  projectId: string;
  /**
   * Waits until `isDone` returns true. Returns the elapsed time in milliseconds, and the longest
   * response time of the server meanwhile.
   */
  timed: (
    begin: () => Promise<unknown>,
    isDone: () => Promise<boolean>,
  ) => Promise<{ tookMs: number; longestWaitMs: number }>;
  close: () => Promise<void>;
}

/**
 * Starts a server with the titles and descriptions of Hadoop reports, in the state after the first
 * analysis.
 * The issues have no vectors, because neither dependencies nor scores need them. Returns null if
 * the Hadoop data set is missing.
 */
export async function openWholeProject(name: string): Promise<WholeProject | null> {
  const data = await loadHadoop();
  if (data === null) return null;
  const server = await startServer({ timeoutMs: 120_000 });
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  const database = openDatabase<Tables>(postgres.connection, { log, statementTimeoutMs: 0 });
  const { db } = database;
  const api = await registerAndSignIn(server.url, name);
  const accountId = await ownerOf(api);
  const place = await insertProjects(db, accountId, 1);
  const neighbours = new NeighbourPool();
  const corpus = new Corpus({ neighbours, dimensions: DIMENSIONS });
  for (let from = 0; from < ISSUES; from += BATCH) {
    const issues = Array.from({ length: BATCH }, (_, index) =>
      issueOf(from + index, { reports: data.reports, vectors: [] }, accountId, place),
    );
    corpus.put(issues.map(({ id, row }) => documentOf(id, row)));
    await insertIssues(db, issues);
  }
  await db
    .insertInto('analysis_state')
    .values({
      account_id: accountId,
      revision: 1,
      snapshot_version: 1,
      snapshot: Buffer.from(encodeSnapshot(corpus.takeSnapshot(1))),
      fingerprint: null,
      notice: null,
    })
    .execute();
  await neighbours.close();
  const ask = async () => {
    const startedAt = performance.now();
    await (await fetch(`${server.url}/healthz`)).text();
    return performance.now() - startedAt;
  };
  return {
    api,
    db,
    accountId,
    projectId: place.projectIds[0] ?? '',
    async timed(begin, isDone) {
      const startedAt = performance.now();
      let longestWaitMs = 0;
      await begin();
      while (!(await isDone())) {
        longestWaitMs = Math.max(longestWaitMs, await ask());
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
      return { tookMs: Math.round(performance.now() - startedAt), longestWaitMs: Math.round(longestWaitMs) };
    },
    async close() {
      await database.close();
      await postgres.stop();
      await server.remove();
    },
  };
}

function documentOf(id: string, { title, description }: { title: string; description: string }) {
  return { id, group: '', title, body: description, vector: null, createdAt: 0 };
}
