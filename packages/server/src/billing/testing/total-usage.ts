import type { UsageKind } from '@winnow/contract/usage';
import type { Db } from '../../schema/tables.ts';
import { usageWithin } from '../usage/counter-store.ts';

/** Returns an account's usage counter, summed over all days. */
export async function totalUsage(db: Db, accountId: string, kind: UsageKind): Promise<number> {
  return (await usageWithin(db, accountId, null))[kind];
}
