import { sql } from 'kysely';
import type { TextStore } from '../ai/index.ts';
import type { Db } from '../schema/tables.ts';

/** Key of stored suggestions: the prompt, and both issues in the requested order. */
export interface SuggestionPlace {
  firstId: string;
  secondId: string;
  prompt: string;
}

/** Returns a store for suggested texts in the database. */
export function suggestionsIn(db: Db): TextStore<SuggestionPlace> {
  return {
    async findText(accountId, { firstId, secondId, prompt }, questionHash) {
      const row = await db
        .selectFrom('suggestion')
        .select('answer')
        .where('account_id', '=', accountId)
        .where('issue_1', '=', firstId)
        .where('issue_2', '=', secondId)
        .where('prompt', '=', prompt)
        .where('asked_as', '=', questionHash)
        .executeTakeFirst();
      return row?.answer;
    },
    async save(accountId, { firstId, secondId, prompt }, { questionHash, answer, aiModelId, at }) {
      await sql`
        insert into suggestion (account_id, issue_1, issue_2, prompt, asked_as, answer, ai_model_id, at)
        select ${accountId}::uuid, one.id, other.id, ${prompt}, ${questionHash}::bytea, ${JSON.stringify(answer)}::jsonb,
               ai_model.id, ${at}::timestamptz
        from issue one, issue other, ai_model
        where one.account_id = ${accountId} and one.id = ${firstId}
          and other.account_id = ${accountId} and other.id = ${secondId}
          and ai_model.account_id = ${accountId} and ai_model.id = ${aiModelId}
        on conflict (account_id, issue_1, issue_2, prompt) do update
          set asked_as = excluded.asked_as, answer = excluded.answer, ai_model_id = excluded.ai_model_id, at = excluded.at
      `.execute(db);
    },
  };
}
