import type { Insertable, Selectable } from 'kysely';
import type { LeadTable } from '../schema/account-tables.ts';
import type { Db } from '../schema/tables.ts';

export type StoredLead = Selectable<LeadTable>;

export async function insertLead(db: Db, lead: Insertable<LeadTable>): Promise<void> {
  await db.insertInto('lead').values(lead).execute();
}

/** Returns all stored demo requests, newest first. */
export async function findLeads(db: Db): Promise<StoredLead[]> {
  return db.selectFrom('lead').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
}
