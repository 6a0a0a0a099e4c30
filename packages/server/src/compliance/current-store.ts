import type { StatusFilter } from '@winnow/contract/issue';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { Judges } from './judges.ts';
import { evaluatedOf, type ResultRow, type StoredEvaluation } from './result-store.ts';

/**
 * Returns an SQL expression that ranks a row of `result` for its `issue`. A result is current if it
 * was computed for the given prompt and the issue's texts have not changed since.
 *
 * The rank is 1 for the account's analyst, 2 for the built-in analyst as its fallback, and 3 for
 * another model. It is null if the result is not current. The result with the lowest rank is
 * displayed.
 */
function currentRank(
  first: RawBuilder<Buffer>,
  instead: RawBuilder<Buffer | null>,
  promptVersion: RawBuilder<number>,
): RawBuilder<number | null> {
  return sql<number | null>`(
    case when result.evaluated_at is null or issue.content_hash <> all(result.contents) then null
      when result.judged_as = ${first} then 1
      when result.judged_as = ${instead} then 2
      when result.ai_model_id is not null and result.prompt_version = ${promptVersion} then 3
    end
  )`;
}

/**
 * Returns one stored result of an issue for each of these prompts. This is the current result or,
 * without one, the newest result.
 */
export async function knownResults(
  db: Db,
  accountId: string,
  issueId: string,
  prompts: readonly { promptId: string; promptVersion: number; judges: Judges }[],
): Promise<Map<string, { result: StoredEvaluation; isCurrent: boolean }>> {
  const rank = currentRank(
    sql.ref('named.first_judge'),
    sql.ref('named.judge_instead'),
    sql.ref('named.prompt_version'),
  );
  const { rows } = await sql<ResultRow & { is_current: boolean }>`
    select known.*
    from issue
    cross join unnest(
      ${prompts.map(({ promptId }) => promptId)}::text[], ${prompts.map(({ judges }) => judges.primary)}::bytea[],
      ${prompts.map(({ judges }) => judges.fallback)}::bytea[], ${prompts.map(({ promptVersion }) => promptVersion)}::integer[]
    ) as named (prompt_id, first_judge, judge_instead, prompt_version)
    cross join lateral (
      select result.*, ${rank} is not null as is_current, ${rank} as rank from compliance_result as result
      where result.account_id = ${accountId} and result.issue_id = issue.id and result.prompt_id = named.prompt_id
        and result.evaluated_at is not null
      order by rank nulls last, result.evaluated_at desc, result.id limit 1
    ) as known
    where issue.account_id = ${accountId} and issue.id = ${issueId}
  `.execute(db);
  return new Map(
    rows.flatMap((row) =>
      evaluatedOf(row).map((result) => [row.prompt_id, { result, isCurrent: row.is_current }] as const),
    ),
  );
}

/** Statistics of the scores in a project. */
export interface ProjectScoreStatistics {
  project_id: string;
  project_name: string;
  total: number;
  evaluated: number;
  /**
   * Number of issues that the account's model has scored. Null if the account uses the built-in
   * analyst.
   */
  evaluated_by_model: number | null;
  not_evaluable: number;
  mean: number | null;
  tenths: number[];
}

/** Selects issues, and the scores that count: those by this prompt and these analysts. */
export interface ScoreFilter {
  promptId: string;
  promptVersion: number;
  judges: Judges;
  status: StatusFilter;
  /** Only issues of these projects; null for all projects. */
  projectIds: readonly string[] | null;
}

/**
 * Returns a query with one row per matching issue. `factor` is the current score of the issue; null
 * if it has none.
 */
function currentScores(
  accountId: string,
  { promptId, promptVersion, judges, status, projectIds }: ScoreFilter,
) {
  const rank = currentRank(
    sql`${judges.primary}::bytea`,
    sql`${judges.fallback}::bytea`,
    sql`${promptVersion}::integer`,
  );
  return sql<{ issue_id: string; project_id: string; factor: number | null; rank: number | null }>`
    select issue.id as issue_id, issue.project_id, known.factor, known.rank
    from issue
    left join lateral (
      select result.factor, ${rank} as rank from compliance_result as result
      where result.account_id = ${accountId} and result.issue_id = issue.id and result.prompt_id = ${promptId}
        and ${rank} is not null
      order by rank, result.evaluated_at desc limit 1
    ) as known on true
    where issue.account_id = ${accountId} and issue.issue_type <> 'change_request'
      and (${status} = 'all' or issue.state = ${status})
      and (${projectIds === null} or issue.project_id = any(${projectIds ?? []}::uuid[]))
  `;
}

/** Returns statistics of the current scores per project. Change requests are excluded. */
export async function projectScoreStatistics(
  db: Db,
  accountId: string,
  filter: ScoreFilter,
): Promise<ProjectScoreStatistics[]> {
  const { rows } = await sql<
    Omit<ProjectScoreStatistics, 'tenths'> & { counted: Record<string, number> | null }
  >`
    with scored as (${currentScores(accountId, filter)}), tenth as (
      select project_id, least(9, floor(round(factor * 100) / 10))::integer as tenth, count(*)::integer as issues
      from scored where factor > 0 group by 1, 2
    )
    select project.id as project_id, project.name as project_name,
           count(*)::integer as total, count(scored.factor)::integer as evaluated,
           case when ${filter.judges.fallback === null} then null
             else (count(*) filter (where scored.rank = 1))::integer end as evaluated_by_model,
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

/**
 * Returns the current scores of matching issues. Change requests and issues without a score are
 * omitted.
 */
export async function knownScores(
  db: Db,
  accountId: string,
  filter: ScoreFilter,
): Promise<{ issue_id: string; factor: number }[]> {
  const { rows } = await sql<{ issue_id: string; factor: number }>`
    with scored as (${currentScores(accountId, filter)})
    select issue_id, factor from scored where factor is not null order by issue_id
  `.execute(db);
  return rows;
}

/**
 * Returns the number of open issues that `judge` has not scored with their current texts, and the
 * characters of these texts. If `judge` is null, includes all open issues.
 */
export async function unscoredTexts(
  db: Db,
  accountId: string,
  { promptId, judge, longest }: { promptId: string; judge: Buffer | null; longest: number },
): Promise<{ issues: number; characters: number }> {
  const { rows } = await sql<{ issues: number; characters: number }>`
    select count(*)::integer as issues,
      coalesce(sum(length(title) + least(length(description), ${longest}::integer)), 0)::float8 as characters
    from issue
    where account_id = ${accountId} and issue_type <> 'change_request' and state = 'opened' and not exists (
      select from compliance_result as result
      where result.account_id = issue.account_id and result.issue_id = issue.id and result.prompt_id = ${promptId}
        and result.judged_as = ${judge}::bytea and result.evaluated_at is not null
        and issue.content_hash = any(result.contents))
  `.execute(db);
  return rows[0] ?? { issues: 0, characters: 0 };
}
