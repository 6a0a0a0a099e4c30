import { LIKELIHOOD } from '@winnow/contract/duplicate';
import type { Db } from '../schema/tables.ts';

/** Returns the account's mark: the minimum probability of a pair that is worth a decision. */
export async function markOf(db: Db, accountId: string): Promise<number> {
  const account = await db
    .selectFrom('account')
    .select('pair_mark')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.pair_mark ?? LIKELIHOOD.likely;
}

/** Sets the account's mark, or restores the shipped one (null). */
export async function setMark(db: Db, accountId: string, mark: number | null): Promise<void> {
  await db.updateTable('account').set({ pair_mark: mark }).where('id', '=', accountId).execute();
}
