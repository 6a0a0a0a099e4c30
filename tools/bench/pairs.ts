import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { currentUser } from '@winnow/contract/account';
import { pairList } from '@winnow/contract/duplicate';
import { sql } from 'kysely';
import { openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import type { Db, Tables } from '../../packages/server/src/schema/tables.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const ISSUES = 20_000;
const PAIRS = 100_000;
const PROJECTS = 40;
const REQUESTS = 200;
/** Number of warm-up requests. A newly started server has not compiled its code yet. */
const WARM_UP_CALLS = 1_500;

/**
 * Measures the time to list pairs over HTTP with each filter of the console. The account has a
 * hundred thousand pairs.
 */
export async function run(emit: Emit): Promise<void> {
  const server = await startServer();
  try {
    const api = await registerAndSignIn(server.url, 'bench');
    const { account_id: accountId } = await api.get('/auth/users/me', currentUser);
    const projectIds = await fill(server.dataDir, accountId);
    const one = `project_ids=${projectIds[0]?.split('-')[0]}`;
    const few = projectIds
      .slice(0, 5)
      .map((id) => `project_ids=${id.split('-')[0]}`)
      .join('&');
    const lists: Record<string, (index: number) => string> = {
      'first pages': (index) => `skip=${(index % 10) * 10}`,
      'across all projects': (index) => `scope=account&skip=${(index % 10) * 10}`,
      'one project': () => one,
      'five projects, across': () => `${few}&scope=account`,
      'closed and unresolved': () => 'status=closed&resolution=unresolved',
      'above 0.8': () => 'similarity_threshold=0.8&status=all',
      'page 500': () => 'skip=5000',
      resolved: () => 'resolution=resolved&status=all',
      dismissed: () => 'dismissed=true&status=all',
      'a rare word': () => 'query=1999',
      'a word of every title': () => 'query=benchmark',
      'an unused word': () => 'query=xyzzy',
    };
    const headers = { authorization: `Bearer ${api.accessToken}` };
    /** Returns the time in milliseconds until the complete response has arrived. */
    const ask = async (query: string): Promise<number> => {
      const startedAt = performance.now();
      const answer = await fetch(`${server.url}/api/v1/issue-duplicates?limit=10&${query}`, { headers });
      const text = await answer.text();
      const tookMs = performance.now() - startedAt;
      if (answer.status === 429) {
        // Waits, because the server limits the requests from one IP address.
        await pause(Number(answer.headers.get('retry-after')) * 1000);
        return ask(query);
      }
      pairList.parse(JSON.parse(text));
      return tookMs;
    };
    const queries = Object.values(lists);
    for (let index = 0; index < WARM_UP_CALLS; index += 1) {
      await ask(queries[index % queries.length]?.(index) ?? '');
    }
    for (const [name, query] of Object.entries(lists)) {
      const times: number[] = [];
      for (let index = 0; index < REQUESTS; index += 1) times.push(await ask(query(index)));
      times.sort((left, right) => left - right);
      emit({
        name: `list pairs, ${name}, p95`,
        value: round(times[Math.floor(times.length * 0.95)] ?? 0),
        unit: 'ms',
        detail: { pairs: PAIRS, p50: round(times[Math.floor(times.length / 2)] ?? 0) },
      });
    }
  } finally {
    await server.remove();
  }
}

/** Stores issues and pairs like a sync and an analysis would. Returns the ids of the projects. */
async function fill(dataDir: string, accountId: string): Promise<string[]> {
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir, log, ifInUse: 'attach' });
  const { db, close } = openDatabase<Tables>(postgres.connection, { log, statementTimeoutMs: 0 });
  const projectIds = Array.from({ length: PROJECTS }, () => randomUUID());
  try {
    await insertProjects(db, accountId, projectIds);
    await insertIssues(db, accountId, projectIds);
    await insertPairs(db, accountId);
    await sql`vacuum analyze pair, issue, project`.execute(db);
  } finally {
    await close();
    await postgres.stop();
  }
  return projectIds;
}

async function insertProjects(db: Db, accountId: string, projectIds: readonly string[]): Promise<void> {
  const owner = { account_id: accountId };
  const tracker = { ...owner, id: randomUUID(), name: 'Bench', tracker_type: 'sample' as const, url: '' };
  await db.insertInto('tracker').values(tracker).execute();
  const organization = {
    ...owner,
    id: randomUUID(),
    tracker_id: tracker.id,
    identifier: 'bench',
    name: 'Bench',
  };
  await db.insertInto('organization').values(organization).execute();
  await db
    .insertInto('project')
    .values(
      projectIds.map((id, index) => ({
        ...owner,
        id,
        tracker_id: tracker.id,
        organization_id: organization.id,
        external_id: `bench/project-${index}`,
        identifier: `bench/project-${index}`,
        name: `project-${index}`,
      })),
    )
    .execute();
}

async function insertIssues(db: Db, accountId: string, projectIds: readonly string[]): Promise<void> {
  await sql`
    insert into issue (account_id, id, tracker_id, project_id, external_id, key, title, description, status,
                       state, issue_type, labels, assignees, url, is_duplicate, comments_count, created_at, updated_at,
                       content_hash, revision)
    select project.account_id, gen_random_uuid(), project.tracker_id, project.id, number::text,
           project.identifier || '#' || number, 'Issue ' || number || ' of the benchmark',
           repeat('A description of some length. ', 40), 'open',
           case when number % 3 = 0 then 'closed' else 'opened' end, 'issue', '{}', '{}', '', false, 0,
           now() - number * interval '1 minute', now(), md5(number::text) || md5(number::text), 1
    from generate_series(1, ${ISSUES}) as number
    join project on project.account_id = ${accountId}
      and project.id = (${projectIds}::uuid[])[1 + number % ${PROJECTS}]
  `.execute(db);
}

/**
 * Inserts pairs. Most similarities are low, as in real backlogs. Four of five pairs are within one
 * project.
 */
async function insertPairs(db: Db, accountId: string): Promise<void> {
  await sql`
    with numbered as (
      select id, (row_number() over (order by project_id, id))::int as place
      from issue where account_id = ${accountId}
    )
    insert into pair (account_id, id, issue_a, issue_b, project_a, project_b, same_project, both_open, similarity,
                      snapshot_version, scored_at, resolution, dismissed)
    select ${accountId}, gen_random_uuid(), a.id, b.id, a.project_id, b.project_id, a.project_id = b.project_id,
           a.state = 'opened' and b.state = 'opened', 0.1 + 0.9 * power(random(), 4), 1, now(),
           case when random() < 0.05 then 'unrelated' end, random() < 0.05
    from generate_series(1, ${PAIRS * 1.05}) as number
    join numbered one on one.place = 1 + (number * 7919) % ${ISSUES}
    join numbered other on other.place = 1 + (one.place - 1 + case when number % 5 = 0 then 5000 + number % 97
                                                                   else 1 + number % 13 end) % ${ISSUES}
    join issue a on a.account_id = ${accountId} and a.id = least(one.id, other.id)
    join issue b on b.account_id = ${accountId} and b.id = greatest(one.id, other.id)
    on conflict do nothing
  `.execute(db);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
