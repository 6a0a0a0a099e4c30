import type { AiProvider } from '@winnow/contract/ai-model';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { AiModelTable } from '../schema/ai-tables.ts';
import type { Db } from '../schema/tables.ts';

export type AiModelRow = Selectable<AiModelTable>;

/** Lists the models of an account, oldest first. */
export async function listModels(db: Db, accountId: string): Promise<AiModelRow[]> {
  return db
    .selectFrom('ai_model')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Inserts rows for offered models. Skips models whose name is taken. */
export async function insertOffered(db: Db, models: Insertable<AiModelTable>[]): Promise<void> {
  if (models.length === 0) return;
  await db
    .insertInto('ai_model')
    .values(models)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findModel(db: Db, accountId: string, modelId: string): Promise<AiModelRow | undefined> {
  return db
    .selectFrom('ai_model')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', modelId)
    .executeTakeFirst();
}

/** Returns the names of models by id. Deleted models are omitted. */
export async function modelNames(
  db: Db,
  accountId: string,
  modelIds: readonly string[],
): Promise<Map<string, string>> {
  if (modelIds.length === 0) return new Map();
  const models = await db
    .selectFrom('ai_model')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${modelIds}::uuid[])`)
    .execute();
  return new Map(models.map(({ id, name }) => [id, name]));
}

/** Returns the ids of the models that the operator offers. */
export async function offeredModelIds(db: Db, accountId: string): Promise<Set<string>> {
  const models = await db
    .selectFrom('ai_model')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_offered', '=', true)
    .execute();
  return new Set(models.map(({ id }) => id));
}

export async function findDefault(db: Db, accountId: string): Promise<AiModelRow | undefined> {
  return db
    .selectFrom('ai_model')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst();
}

/** Locks the account's models until the transaction ends, so that only one becomes the default. */
export async function lockModels(db: Db, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/**
 * Makes the built-in analyst the default. With `custom`, keeps a default model that the operator
 * offers. Returns false if nothing changed.
 */
export async function clearDefault(
  db: Db,
  accountId: string,
  which: 'any' | 'custom' = 'any',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ai_model')
    .set({ is_default: false })
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .$if(which === 'custom', (query) => query.where('is_offered', '=', false))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertModel(db: Db, model: Insertable<AiModelTable>): Promise<AiModelRow> {
  return db.insertInto('ai_model').values(model).returningAll().executeTakeFirstOrThrow();
}

export async function updateModel(
  db: Db,
  accountId: string,
  modelId: string,
  values: Partial<Omit<AiModelRow, 'account_id' | 'id' | 'created_at'>>,
): Promise<AiModelRow | undefined> {
  return db
    .updateTable('ai_model')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', modelId)
    .returningAll()
    .executeTakeFirst();
}

/** Identifies a connection whose test results are stored. */
export interface TestedConnection {
  provider: AiProvider;
  apiUrl: string;
  identifier: string;
}

/**
 * Stores the result of a connection's last test. A success deletes the row; a failure stores one.
 */
export async function saveTest(
  db: Db,
  accountId: string,
  { provider, apiUrl, identifier }: TestedConnection,
  failure: { failed_at: Date; detail: string } | null,
): Promise<void> {
  const key = {
    account_id: accountId,
    provider_name: provider,
    api_url: apiUrl,
    model_identifier: identifier,
  };
  if (failure === null) {
    await db
      .deleteFrom('ai_model_failed_test')
      .where((where) => where.and(key))
      .execute();
    return;
  }
  await db
    .insertInto('ai_model_failed_test')
    .values({ ...key, ...failure })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'provider_name', 'api_url', 'model_identifier']).doUpdateSet(failure),
    )
    .execute();
}

/** Returns the failure of a connection's last test; null if the test succeeded or never ran. */
export async function findFailedTest(
  db: Db,
  accountId: string,
  { provider, apiUrl, identifier }: TestedConnection,
): Promise<string | null> {
  const row = await db
    .selectFrom('ai_model_failed_test')
    .select('detail')
    .where('account_id', '=', accountId)
    .where('provider_name', '=', provider)
    .where('api_url', '=', apiUrl)
    .where('model_identifier', '=', identifier)
    .executeTakeFirst();
  return row?.detail ?? null;
}

/** Deletes a model; foreign keys delete its verdicts. Returns false if the model does not exist. */
export async function deleteModel(db: Db, accountId: string, modelId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('ai_model')
    .where('account_id', '=', accountId)
    .where('id', '=', modelId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
