import { randomUUID } from 'node:crypto';
import type { StatusFilter } from '@winnow/contract/issue';
import { type Selectable, sql } from 'kysely';
import type { ComplianceFindings, ComplianceResultTable, Db } from '../schema/tables.ts';

type ResultRow = Selectable<ComplianceResultTable>;
/** An issue with the texts it has, to be judged by a prompt. */
export interface ResultKey {
  readonly issueId: string;
  readonly promptId: string;
  readonly askedAs: Buffer;
}

/** How an issue stands. */
export interface Evaluated {
  id: string;
  asked_as: Buffer;
  factor: number;
  findings: ComplianceFindings;
  ai_model_id: string | null;
  ai_model_name: string;
  evaluated_at: Date;
}

/** What is stored of these questions: the answer if there is one, else the newest answer to an earlier form of each. */
export async function findResults(
  db: Db,
  accountId: string,
  keys: readonly ResultKey[],
): Promise<{ asked: ResultRow | null; newest: Evaluated | null }[]> {
  const { rows } = await sql<ResultRow & { place: number; is_asked: boolean }>`
    select result.*, named.place::integer as place, result.asked_as = named.asked_as as is_asked
    from unnest(
      ${keys.map(({ issueId }) => issueId)}::uuid[], ${keys.map(({ promptId }) => promptId)}::text[],
      ${keys.map(({ askedAs }) => askedAs)}::bytea[]
    ) with ordinality as named (issue_id, prompt_id, asked_as, place)
    cross join lateral (
      (select * from compliance_result
       where account_id = ${accountId} and issue_id = named.issue_id and prompt_id = named.prompt_id
         and asked_as = named.asked_as)
      union
      (select * from compliance_result
       where account_id = ${accountId} and issue_id = named.issue_id and prompt_id = named.prompt_id
         and evaluated_at is not null
       order by evaluated_at desc, id limit 1)
    ) as result
  `.execute(db);
  return keys.map((_key, index) => {
    const own = rows.filter(({ place }) => place === index + 1);
    const asked = own.find(({ is_asked }) => is_asked) ?? null;
    const answered = [asked, ...own].flatMap((row) => (row === null ? [] : evaluatedOf(row)));
    return { asked, newest: answered[0] ?? null };
  });
}

function evaluatedOf(row: ResultRow): Evaluated[] {
  const { id, asked_as, factor, findings, ai_model_id, ai_model_name, evaluated_at } = row;
  if (factor === null || findings === null || ai_model_name === null || evaluated_at === null) return [];
  return [{ id, asked_as, factor, findings, ai_model_id, ai_model_name, evaluated_at }];
}

/** Takes it on to have an issue judged, until `until`. False when that is done, under way, has just failed, or the issue is gone. */
export async function claimResult(
  db: Db,
  accountId: string,
  { issueId, promptId, askedAs }: ResultKey,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into compliance_result (account_id, id, issue_id, prompt_id, asked_as, asked_until, has_failed)
    select ${accountId}::uuid, ${randomUUID()}::uuid, issue.id, ${promptId}, ${askedAs}::bytea, ${until}::timestamptz, false
    from issue where issue.account_id = ${accountId} and issue.id = ${issueId}
    on conflict (account_id, issue_id, prompt_id, asked_as) do update
      set asked_until = excluded.asked_until, has_failed = false
      where compliance_result.evaluated_at is null and compliance_result.asked_until <= ${now}::timestamptz
    returning id
  `.execute(db);
  return rows.length > 0;
}

/** Keeps answers. Of two to the same question the first one stays; that of an issue that is gone is dropped. */
export async function saveResults(
  db: Db,
  accountId: string,
  results: readonly (ResultKey & Omit<Evaluated, 'id' | 'asked_as'>)[],
): Promise<void> {
  for (const { issueId, promptId, askedAs, factor, findings, ...author } of results) {
    const { ai_model_id, ai_model_name, evaluated_at } = author;
    await sql`
      insert into compliance_result
        (account_id, id, issue_id, prompt_id, asked_as, asked_until, has_failed,
         factor, findings, ai_model_id, ai_model_name, evaluated_at)
      select ${accountId}::uuid, ${randomUUID()}::uuid, issue.id, ${promptId}, ${askedAs}::bytea,
             ${evaluated_at}::timestamptz, false, ${factor}::real, ${JSON.stringify(findings)}::jsonb,
             ${ai_model_id}::uuid, ${ai_model_name}, ${evaluated_at}::timestamptz
      from issue where issue.account_id = ${accountId} and issue.id = ${issueId}
      on conflict (account_id, issue_id, prompt_id, asked_as) do update
        set factor = excluded.factor, findings = excluded.findings, has_failed = false,
            ai_model_id = excluded.ai_model_id, ai_model_name = excluded.ai_model_name,
            evaluated_at = excluded.evaluated_at
        where compliance_result.evaluated_at is null
    `.execute(db);
  }
}

/** Remembers until when there is no use in asking the same again. */
export async function failResult(
  db: Db,
  accountId: string,
  { issueId, promptId, askedAs }: ResultKey,
  until: Date,
): Promise<void> {
  await db
    .updateTable('compliance_result')
    .set({ has_failed: true, asked_until: until })
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .where('prompt_id', '=', promptId)
    .where('asked_as', '=', askedAs)
    .execute();
}

/** How an issue stood when it was judged last, by prompt. */
export async function newestResults(
  db: Db,
  accountId: string,
  issueId: string,
): Promise<Map<string, Evaluated>> {
  const rows = await db
    .selectFrom('compliance_result')
    .selectAll()
    .distinctOn('prompt_id')
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .where('evaluated_at', 'is not', null)
    .orderBy('prompt_id')
    .orderBy('evaluated_at', 'desc')
    .orderBy('id')
    .execute();
  return new Map(rows.flatMap((row) => evaluatedOf(row).map((result) => [row.prompt_id, result] as const)));
}

/** Results of an issue kept for its history. */
const MOST_HISTORY = 100;

/** How an issue stood by a prompt, newest first. */
export function listHistory(db: Db, accountId: string, issueId: string, promptId: string) {
  return db
    .selectFrom('compliance_result')
    .select(['id', 'factor', 'ai_model_name', 'evaluated_at'])
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .where('prompt_id', '=', promptId)
    .where('evaluated_at', 'is not', null)
    .orderBy('evaluated_at', 'desc')
    .orderBy('id')
    .limit(MOST_HISTORY)
    .$narrowType<{ factor: number; ai_model_name: string; evaluated_at: Date }>()
    .execute();
}

/** How the issues of a project stand. */
export interface ProjectStanding {
  project_id: string;
  project_name: string;
  total: number;
  evaluated: number;
  mean: number | null;
  tenths: number[];
}

/** How issues stand by a prompt, project by project, each by its newest result; change requests are left out. */
export async function projectStandings(
  db: Db,
  accountId: string,
  promptId: string,
  { status, projectIds }: { status: StatusFilter; projectIds: readonly string[] | null },
): Promise<ProjectStanding[]> {
  const { rows } = await sql<Omit<ProjectStanding, 'tenths'> & { counted: Record<string, number> | null }>`
    with scored as (
      select issue.project_id, newest.factor
      from issue
      left join lateral (
        select factor from compliance_result
        where account_id = ${accountId} and issue_id = issue.id and prompt_id = ${promptId}
          and evaluated_at is not null
        order by evaluated_at desc, id limit 1
      ) as newest on true
      where issue.account_id = ${accountId} and issue.issue_type <> 'change_request'
        and (${status} = 'all' or issue.state = ${status})
        and (${projectIds === null} or issue.project_id = any(${projectIds ?? []}::uuid[]))
    ), tenth as (
      select project_id, least(9, floor(round(factor * 100) / 10))::integer as tenth, count(*)::integer as issues
      from scored where factor is not null group by 1, 2
    )
    select project.id as project_id, project.name as project_name,
           count(*)::integer as total, count(scored.factor)::integer as evaluated, avg(scored.factor)::real as mean,
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
