import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Two issues in the order in which texts were asked for, and by which prompt. */
export interface SuggestionPlace {
  firstId: string;
  secondId: string;
  prompt: string;
}

/** What a model wrote of exactly this question; undefined when it was not asked. */
export async function findSuggestion(
  db: Db,
  accountId: string,
  { firstId, secondId, prompt }: SuggestionPlace,
  askedAs: Buffer,
): Promise<unknown> {
  const row = await db
    .selectFrom('suggestion')
    .select('answer')
    .where('account_id', '=', accountId)
    .where('issue_1', '=', firstId)
    .where('issue_2', '=', secondId)
    .where('prompt', '=', prompt)
    .where('asked_as', '=', askedAs)
    .executeTakeFirst();
  return row?.answer;
}

/** Keeps what a model wrote, instead of what it wrote before; not when one of the issues is gone. */
export async function saveSuggestion(
  db: Db,
  accountId: string,
  { firstId, secondId, prompt }: SuggestionPlace,
  { askedAs, answer, aiModelId, at }: { askedAs: Buffer; answer: unknown; aiModelId: string; at: Date },
): Promise<void> {
  await sql`
    insert into suggestion (account_id, issue_1, issue_2, prompt, asked_as, answer, ai_model_id, at)
    select ${accountId}::uuid, one.id, other.id, ${prompt}, ${askedAs}::bytea, ${JSON.stringify(answer)}::jsonb,
           ai_model.id, ${at}::timestamptz
    from issue one, issue other, ai_model
    where one.account_id = ${accountId} and one.id = ${firstId}
      and other.account_id = ${accountId} and other.id = ${secondId}
      and ai_model.account_id = ${accountId} and ai_model.id = ${aiModelId}
    on conflict (account_id, issue_1, issue_2, prompt) do update
      set asked_as = excluded.asked_as, answer = excluded.answer, ai_model_id = excluded.ai_model_id, at = excluded.at
  `.execute(db);
}
