import { sql } from 'kysely';
import type { TextStore } from '../ai/index.ts';
import type { Db } from '../schema/tables.ts';

/** Key of an improved text: the issue to improve and the prompt that judges it. */
export interface ImprovementPlace {
  issueId: string;
  promptId: string;
}

/** Returns a store for improved texts in the database. */
export function improvementsIn(db: Db): TextStore<ImprovementPlace> {
  return {
    async findText(accountId, { issueId, promptId }, questionHash) {
      const row = await db
        .selectFrom('compliance_suggestion')
        .select('answer')
        .where('account_id', '=', accountId)
        .where('issue_id', '=', issueId)
        .where('prompt_id', '=', promptId)
        .where('asked_as', '=', questionHash)
        .executeTakeFirst();
      return row?.answer;
    },
    async save(accountId, { issueId, promptId }, { questionHash, answer, aiModelId, at }) {
      await sql`
        insert into compliance_suggestion (account_id, issue_id, prompt_id, asked_as, answer, ai_model_id, at)
        select ${accountId}::uuid, issue.id, ${promptId}, ${questionHash}::bytea, ${JSON.stringify(answer)}::jsonb,
               ai_model.id, ${at}::timestamptz
        from issue, ai_model
        where issue.account_id = ${accountId} and issue.id = ${issueId}
          and ai_model.account_id = ${accountId} and ai_model.id = ${aiModelId}
        on conflict (account_id, issue_id, prompt_id) do update
          set asked_as = excluded.asked_as, answer = excluded.answer, ai_model_id = excluded.ai_model_id, at = excluded.at
      `.execute(db);
    },
  };
}
