import type { Selectable } from 'kysely';
import type { CompliancePromptTable } from '../schema/compliance-tables.ts';
import type { Db } from '../schema/tables.ts';

export type PromptRow = Selectable<CompliancePromptTable>;

/** Returns the current version of each custom prompt of the account, ordered by name. */
export function listPrompts(db: Db, accountId: string): Promise<PromptRow[]> {
  return db
    .selectFrom('compliance_prompt as prompt')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('version', '=', (query) =>
      query
        .selectFrom('compliance_prompt as other')
        .select(({ fn }) => fn.max('other.version').as('newest'))
        .where('other.account_id', '=', accountId)
        .whereRef('other.id', '=', 'prompt.id'),
    )
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** Returns the current version of a prompt. */
export function findPrompt(db: Db, accountId: string, promptId: string): Promise<PromptRow | undefined> {
  return db
    .selectFrom('compliance_prompt')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', promptId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns all versions of a prompt, newest first. */
export function listVersions(db: Db, accountId: string, promptId: string): Promise<PromptRow[]> {
  return db
    .selectFrom('compliance_prompt')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', promptId)
    .orderBy('version', 'desc')
    .execute();
}

/** Locks the account's prompts against concurrent changes until the transaction ends. */
export async function lockPrompts(db: Db, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/** Stores a version of a prompt. */
export async function insertPrompt(
  db: Db,
  accountId: string,
  row: Omit<PromptRow, 'account_id' | 'criteria' | 'created_at'> & { criteria: unknown },
): Promise<PromptRow> {
  return db
    .insertInto('compliance_prompt')
    .values({ ...row, account_id: accountId, criteria: JSON.stringify(row.criteria) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Deletes a prompt with all its versions and scores. Returns false if the prompt does not exist.
 */
export async function removePrompt(db: Db, accountId: string, promptId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('compliance_prompt')
    .where('account_id', '=', accountId)
    .where('id', '=', promptId)
    .executeTakeFirst();
  for (const table of ['compliance_result', 'compliance_suggestion'] as const) {
    await db
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('prompt_id', '=', promptId)
      .execute();
  }
  return numDeletedRows > 0n;
}
