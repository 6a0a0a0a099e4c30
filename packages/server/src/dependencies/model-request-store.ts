import { type Selectable, sql } from 'kysely';
import type { DependencyQuestionTable } from '../schema/dependency-tables.ts';
import type { Db } from '../schema/tables.ts';

export type QuestionRow = Selectable<DependencyQuestionTable>;

/** Days after which a question with an answer is deleted. A later scan asks it again. */
const RETENTION_DAYS = 30;
/** Maximum number of earlier questions that are reused for a scan. */
const MAX_EARLIER_REQUESTS = 50;

/** Returns the stored questions with these hashes. */
export async function findQuestions(
  db: Db,
  accountId: string,
  forms: readonly Buffer[],
): Promise<QuestionRow[]> {
  const { rows } = await sql<QuestionRow>`
    select * from dependency_question where account_id = ${accountId} and asked_as = any(${forms}::bytea[])
  `.execute(db);
  return rows;
}

/** Returns the latest questions in which all issues are among the given ones. */
export async function findQuestionsAmong(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<{ asked_as: Buffer; issue_ids: string[] }[]> {
  const { rows } = await sql<{ asked_as: Buffer; issue_ids: string[] }>`
    select asked_as, issue_ids from dependency_question
    where account_id = ${accountId} and issue_ids <> '{}' and issue_ids <@ ${issueIds}::uuid[]
    order by asked_until desc limit ${MAX_EARLIER_REQUESTS}
  `.execute(db);
  return rows;
}

/**
 * Claims a question until `until`. Returns false if the question has an answer, is claimed, or has
 * just failed.
 */
export async function claimQuestion(
  db: Db,
  accountId: string,
  { questionHash, issueIds }: { questionHash: Buffer; issueIds: readonly string[] },
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  await sql`
    delete from dependency_question
    where account_id = ${accountId} and asked_until < ${now}::timestamptz - make_interval(days => ${RETENTION_DAYS})
  `.execute(db);
  const { rows } = await sql`
    insert into dependency_question (account_id, asked_as, asked_until, has_failed, issue_ids)
    values (${accountId}, ${questionHash}, ${until}, false, ${issueIds}::uuid[])
    on conflict (account_id, asked_as) do update set asked_until = excluded.asked_until, has_failed = false
      where dependency_question.answered_at is null and dependency_question.asked_until <= ${now}::timestamptz
    returning asked_as
  `.execute(db);
  return rows.length > 0;
}

/** Stores the outcome of a question: its answer, a later end of its claim, or a failure. */
export async function settleQuestion(
  db: Db,
  accountId: string,
  questionHash: Buffer,
  outcome: { answered_at: Date; found: string } | { has_failed?: true; asked_until: Date },
): Promise<void> {
  await db
    .updateTable('dependency_question')
    .set(outcome)
    .where('account_id', '=', accountId)
    .where('asked_as', '=', questionHash)
    .execute();
}
