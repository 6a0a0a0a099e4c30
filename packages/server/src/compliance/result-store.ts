import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { ComplianceFindings, ComplianceResultTable } from '../schema/compliance-tables.ts';
import type { Db } from '../schema/tables.ts';
import type { ResultKey } from './judges.ts';

/** Row for judging an issue. Without a result, the row is only a claim to judge the issue. */
export type ResultRow = Selectable<ComplianceResultTable>;
/** The stored result of scoring one issue by one prompt. */
export interface StoredEvaluation {
  id: string;
  asked_as: Buffer;
  factor: number;
  findings: ComplianceFindings;
  ai_model_id: string | null;
  ai_model_name: string;
  evaluated_at: Date;
}
/** A scoring result that is not stored yet. */
export type UnsavedResult = Pick<
  StoredEvaluation,
  'factor' | 'findings' | 'ai_model_id' | 'ai_model_name' | 'evaluated_at'
>;

/**
 * Returns the stored rows for each key. `asked` is the row with exactly this key; it may be only a
 * claim. `newest` is the result of that row or, without one, the newest result for the same issue
 * and prompt.
 */
export async function findResults(
  db: Db,
  accountId: string,
  keys: readonly ResultKey[],
): Promise<{ asked: ResultRow | null; newest: StoredEvaluation | null }[]> {
  const { rows } = await sql<ResultRow & { place: number; is_asked: boolean }>`
    select result.*, named.place::integer as place, result.asked_as = named.asked_as as is_asked
    from unnest(
      ${keys.map(({ issueId }) => issueId)}::uuid[], ${keys.map(({ promptId }) => promptId)}::text[],
      ${keys.map(({ questionHash }) => questionHash)}::bytea[]
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

/** Returns the result of a row in an array. If the row is only a claim, returns an empty array. */
export function evaluatedOf(row: ResultRow): StoredEvaluation[] {
  const { id, asked_as, factor, findings, ai_model_id, ai_model_name, evaluated_at } = row;
  if (factor === null || findings === null || ai_model_name === null || evaluated_at === null) return [];
  return [{ id, asked_as, factor, findings, ai_model_id, ai_model_name, evaluated_at }];
}

/**
 * Claims the evaluation of an issue until `until`. Returns false if the issue has a result, is
 * claimed by another process, has just failed, or was deleted.
 */
export async function claimResult(
  db: Db,
  accountId: string,
  { issueId, promptId, promptVersion, questionHash, judgedAs, contents }: ResultKey,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into compliance_result
      (account_id, id, issue_id, prompt_id, prompt_version, asked_as, judged_as, contents, asked_until, has_failed)
    select ${accountId}::uuid, ${randomUUID()}::uuid, issue.id, ${promptId}, ${promptVersion}, ${questionHash}::bytea,
           ${judgedAs}::bytea, ${contents}::text[], ${until}::timestamptz, false
    from issue where issue.account_id = ${accountId} and issue.id = ${issueId}
    on conflict (account_id, issue_id, prompt_id, asked_as) do update
      set asked_until = excluded.asked_until, has_failed = false
      where compliance_result.evaluated_at is null and compliance_result.asked_until <= ${now}::timestamptz
    returning id
  `.execute(db);
  return rows.length > 0;
}

/** Stores results. Keeps an existing result with the same key, and skips deleted issues. */
export async function saveResults(
  db: Db,
  accountId: string,
  results: readonly (ResultKey & Omit<StoredEvaluation, 'id' | 'asked_as'>)[],
): Promise<void> {
  for (const { issueId, promptId, promptVersion, questionHash, judgedAs, contents, ...result } of results) {
    const { factor, findings, ai_model_id, ai_model_name, evaluated_at } = result;
    await sql`
      insert into compliance_result
        (account_id, id, issue_id, prompt_id, prompt_version, asked_as, judged_as, contents, asked_until, has_failed,
         factor, findings, ai_model_id, ai_model_name, evaluated_at)
      select ${accountId}::uuid, ${randomUUID()}::uuid, issue.id, ${promptId}, ${promptVersion}, ${questionHash}::bytea,
             ${judgedAs}::bytea, ${contents}::text[], ${evaluated_at}::timestamptz, false, ${factor}::real, ${JSON.stringify(findings)}::jsonb,
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

/**
 * Sets the time until which no process may evaluate the issue again. `has_failed` marks the
 * evaluation as failed.
 */
export async function postponeResult(
  db: Db,
  accountId: string,
  { issueId, promptId, questionHash }: ResultKey,
  until: { asked_until: Date; has_failed?: true },
): Promise<void> {
  await db
    .updateTable('compliance_result')
    .set(until)
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .where('prompt_id', '=', promptId)
    .where('asked_as', '=', questionHash)
    .execute();
}

/** Maximum number of results in the history of an issue. */
const MAX_HISTORY_RESULTS = 100;

/** Returns the results of an issue by a prompt, newest first. */
export function listHistory(db: Db, accountId: string, issueId: string, promptId: string) {
  return db
    .selectFrom('compliance_result')
    .select(['id', 'factor', 'ai_model_name', 'evaluated_at', 'prompt_version'])
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .where('prompt_id', '=', promptId)
    .where('evaluated_at', 'is not', null)
    .orderBy('evaluated_at', 'desc')
    .orderBy('id')
    .limit(MAX_HISTORY_RESULTS)
    .$narrowType<{ factor: number; ai_model_name: string; evaluated_at: Date }>()
    .execute();
}
