import type { StatusFilter } from '@winnow/contract/issue';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { Judges } from './judges.ts';
import { type Evaluated, evaluatedOf, type ResultRow } from './result-store.ts';

/**
 * The one rule for which result, in a query over `issue` and `result`, is current: it is of the issue's texts as they are
 * now, and of who judges by the prompt as it is now, or, where that one failed at exactly this, of who answers instead.
 */
function isCurrent(first: RawBuilder<Buffer>, instead: RawBuilder<Buffer | null>): RawBuilder<boolean> {
  return sql<boolean>`(
    result.evaluated_at is not null and issue.content_hash = any(result.contents) and (
      result.judged_as = ${first}
      or (result.judged_as is not distinct from ${instead} and exists (
        select from compliance_result as failed
        where failed.account_id = result.account_id and failed.issue_id = result.issue_id
          and failed.prompt_id = result.prompt_id and failed.judged_as = ${first} and failed.has_failed
          and issue.content_hash = any(failed.contents)))
    )
  )`;
}

/** How an issue stands by each of these prompts: the current result, or else the newest; nothing is judged. */
export async function knownResults(
  db: Db,
  accountId: string,
  issueId: string,
  prompts: readonly { promptId: string; judges: Judges }[],
): Promise<Map<string, { result: Evaluated; isCurrent: boolean }>> {
  const current = isCurrent(sql.ref('named.first_judge'), sql.ref('named.judge_instead'));
  const { rows } = await sql<ResultRow & { is_current: boolean }>`
    select known.*
    from issue
    cross join unnest(
      ${prompts.map(({ promptId }) => promptId)}::text[], ${prompts.map(({ judges }) => judges.first)}::bytea[],
      ${prompts.map(({ judges }) => judges.instead)}::bytea[]
    ) as named (prompt_id, first_judge, judge_instead)
    cross join lateral (
      select result.*, ${current} as is_current from compliance_result as result
      where result.account_id = ${accountId} and result.issue_id = issue.id and result.prompt_id = named.prompt_id
        and result.evaluated_at is not null
      order by is_current desc, result.evaluated_at desc, result.id limit 1
    ) as known
    where issue.account_id = ${accountId} and issue.id = ${issueId}
  `.execute(db);
  return new Map(
    rows.flatMap((row) =>
      evaluatedOf(row).map((result) => [row.prompt_id, { result, isCurrent: row.is_current }] as const),
    ),
  );
}

/** How the issues of a project stand. */
export interface ProjectStanding {
  project_id: string;
  project_name: string;
  total: number;
  evaluated: number;
  not_evaluable: number;
  mean: number | null;
  tenths: number[];
}

/** Which issues are meant, by which prompt, and who judges by it. */
export interface Standpoint {
  promptId: string;
  judges: Judges;
  status: StatusFilter;
  /** Null for all projects. */
  projectIds: readonly string[] | null;
}

/** The current score of each issue that is meant; null where there is none. */
function currentScores(accountId: string, { promptId, judges, status, projectIds }: Standpoint) {
  const current = isCurrent(sql`${judges.first}::bytea`, sql`${judges.instead}::bytea`);
  return sql<{ issue_id: string; project_id: string; factor: number | null }>`
    select issue.id as issue_id, issue.project_id, known.factor
    from issue
    left join lateral (
      select result.factor from compliance_result as result
      where result.account_id = ${accountId} and result.issue_id = issue.id and result.prompt_id = ${promptId}
        and ${current}
      limit 1
    ) as known on true
    where issue.account_id = ${accountId} and issue.issue_type <> 'change_request'
      and (${status} = 'all' or issue.state = ${status})
      and (${projectIds === null} or issue.project_id = any(${projectIds ?? []}::uuid[]))
  `;
}

/** How issues stand, project by project, by what is current; change requests are left out. */
export async function projectStandings(
  db: Db,
  accountId: string,
  standpoint: Standpoint,
): Promise<ProjectStanding[]> {
  const { rows } = await sql<Omit<ProjectStanding, 'tenths'> & { counted: Record<string, number> | null }>`
    with scored as (${currentScores(accountId, standpoint)}), tenth as (
      select project_id, least(9, floor(round(factor * 100) / 10))::integer as tenth, count(*)::integer as issues
      from scored where factor > 0 group by 1, 2
    )
    select project.id as project_id, project.name as project_name,
           count(*)::integer as total, count(scored.factor)::integer as evaluated,
           (count(*) filter (where scored.factor = 0))::integer as not_evaluable,
           (avg(scored.factor) filter (where scored.factor > 0))::real as mean,
           (select jsonb_object_agg(tenth.tenth, tenth.issues) from tenth where tenth.project_id = project.id) as counted
    from scored join project on project.account_id = ${accountId} and project.id = scored.project_id
    group by project.id, project.name
    order by project.name, project.id
  `.execute(db);
  return rows.map(({ counted, ...row }) => ({
    ...row,
    tenths: Array.from({ length: 10 }, (_, tenth) => counted?.[tenth] ?? 0),
  }));
}

/** The current scores; issues without one are left out, and so are change requests. */
export async function knownScores(
  db: Db,
  accountId: string,
  standpoint: Standpoint,
): Promise<{ issue_id: string; factor: number }[]> {
  const { rows } = await sql<{ issue_id: string; factor: number }>`
    with scored as (${currentScores(accountId, standpoint)})
    select issue_id, factor from scored where factor is not null order by issue_id
  `.execute(db);
  return rows;
}
