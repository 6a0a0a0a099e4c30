import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import { findApplyingTo, lockChangeWrites } from './store.ts';

/** A place in the queue of writes to issues. The write waits for its turn or is running. */
export interface Turn {
  accountId: string;
  id: string;
  issueIds: readonly string[];
  /** True if the write does not wait for other writes with `isShared`. */
  isShared: boolean;
}

/**
 * Seconds until a turn expires. A waiting write renews its turn. A turn is not renewed after its
 * process was killed, or while its write is being saved.
 */
const LEASE_SECONDS = 5;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`;

/** Adds a turn at the end of the account's queue. Deletes expired turns. */
export function takeTurn(db: Db, wanted: Omit<Turn, 'id'>): Promise<Turn> {
  const { accountId, issueIds, isShared } = wanted;
  return db.transaction().execute(async (transaction) => {
    // Turns are added one at a time, so that ids follow the order of arrival.
    await lockChangeWrites(transaction, accountId);
    await transaction
      .deleteFrom('write_turn')
      .where('account_id', '=', accountId)
      .where('expires_at', '<', sql<Date>`now()`)
      .execute();
    const { id } = await transaction
      .insertInto('write_turn')
      .values({ account_id: accountId, issue_ids: [...issueIds], is_shared: isShared, expires_at: leaseEnd })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ...wanted, id };
  });
}

export async function endTurn(db: Db, { accountId, id }: Turn): Promise<void> {
  await db.deleteFrom('write_turn').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/**
 * Reason why a turn must wait: a change that is being applied, or an earlier turn (`changeId` is
 * null).
 */
export interface TurnObstacle {
  changeId: string | null;
  /** Id of an issue that the waiting write and its obstacle have in common. */
  issueId: string;
}

/** Renews a turn. Returns the obstacle that it waits for; null if the write may run. */
export async function findObstacle(
  db: Db,
  { accountId, id, issueIds, isShared }: Turn,
): Promise<TurnObstacle | null> {
  await db
    .insertInto('write_turn')
    .values({
      account_id: accountId,
      id,
      issue_ids: [...issueIds],
      is_shared: isShared,
      expires_at: leaseEnd,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet({ expires_at: leaseEnd }))
    .execute();
  const { rows } = await sql<{ issueId: string }>`
    select issue_id as "issueId" from write_turn, unnest(issue_ids) as issue_id
    where account_id = ${accountId} and id < ${id} and expires_at > now()
      and issue_id = any (${issueIds}::uuid[]) and not (is_shared and ${isShared})
    limit 1
  `.execute(db);
  const [earlier] = rows;
  return earlier ? { changeId: null, ...earlier } : findApplyingTo(db, accountId, issueIds);
}
