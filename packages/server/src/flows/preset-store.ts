import { type Selectable, sql } from 'kysely';
import type { FlowPresetTable } from '../schema/flow-tables.ts';
import type { Db } from '../schema/tables.ts';

export type PresetRow = Selectable<FlowPresetTable>;

/** Lists the custom presets of the account by name. */
export function listPresets(db: Db, accountId: string): Promise<PresetRow[]> {
  return db
    .selectFrom('flow_preset')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy(sql`lower(definition->>'name')`)
    .orderBy('id')
    .execute();
}

export function findPreset(db: Db, accountId: string, presetId: string): Promise<PresetRow | undefined> {
  return db
    .selectFrom('flow_preset')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', presetId)
    .executeTakeFirst();
}

/** Stores a preset. Replaces an existing preset with the same id. */
export async function savePreset(
  db: Db,
  accountId: string,
  presetId: string,
  definition: PresetRow['definition'],
  now: Date,
): Promise<void> {
  const json = JSON.stringify(definition);
  await db
    .insertInto('flow_preset')
    .values({ account_id: accountId, id: presetId, definition: json, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet({ definition: json }))
    .execute();
}

/** Deletes a custom preset. Returns false if it does not exist. */
export async function deletePreset(db: Db, accountId: string, presetId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('flow_preset')
    .where('account_id', '=', accountId)
    .where('id', '=', presetId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
