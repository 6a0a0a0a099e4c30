import { dependencyGraph } from '@winnow/contract/dependency';
import { sql } from 'kysely';
import type { Emit } from '../run.ts';
import { ISSUES, openWholeProject } from './open.ts';

const EDITS = 5;

/**
 * Measures the time to find the dependencies of a whole project in the background, and the time
 * after one edit.
 */
export async function measureWholeProject(emit: Emit): Promise<void> {
  const project = await openWholeProject('dependencies');
  if (project === null) return;
  const { api, db, accountId, projectId } = project;
  const graph = () => api.get(`/issue-dependencies?project_id=${projectId}`, dependencyGraph);
  const isDone = async () => {
    const { rows } = await sql<{ left: number }>`
      select (select count(*)::int from dependency_stale where account_id = ${accountId})
        + (select count(*)::int from dependency_reading where account_id = ${accountId} and linked_with <> 1) as left
    `.execute(db);
    return rows[0]?.left === 0;
  };
  try {
    const whole = await project.timed(graph, isDone);
    const found = (await graph()).dependencies.length;
    emit({
      name: 'scan of a whole project',
      value: whole.tookMs,
      unit: 'ms',
      detail: { issues: ISSUES, found, longestWaitMs: whole.longestWaitMs },
    });
    const edits: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const { tookMs } = await project.timed(async () => {
        await sql`
          update issue set description = description || ' Cannot be done without the new quota service.', revision = ${edit + 2}
          where id = (select id from issue where account_id = ${accountId} order by id offset ${edit * 100} limit 1)
        `.execute(db);
        await sql`update analysis_state set revision = ${edit + 2} where account_id = ${accountId}`.execute(
          db,
        );
        await graph();
      }, isDone);
      edits.push(tookMs);
    }
    emit({
      name: 'one edit in a scanned project, median',
      value: edits.toSorted((a, b) => a - b)[EDITS >> 1] ?? 0,
      unit: 'ms',
      detail: { issues: ISSUES },
    });
  } finally {
    await project.close();
  }
}
