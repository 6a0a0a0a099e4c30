import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import { findApplyingTo, lockChangeWrites } from './store.ts';

/** A write that is waiting for its turn or has it. */
export interface Turn {
  accountId: string;
  id: string;
  issueIds: readonly string[];
  /** True if the turn does not wait for other turns with `isShared`. */
  isShared: boolean;
}

/**
 * Seconds until a turn expires. A waiting write renews its turn; a killed process does not, nor
 * does a write that is being saved.
 */
const LEASE_SECONDS = 5;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`;

/** Adds a turn after the account's other turns, and removes expired ones. */
export function takeTurn(db: Db, wanted: Omit<Turn, 'id'>): Promise<Turn> {
  const { accountId, issueIds, isShared } = wanted;
  return db.transaction().execute(async (transaction) => {
    // Ids follow the order of arrival only if turns are added one at a time.
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

/** Obstacle of a turn: a change that is being applied, or an earlier turn (`changeId` is null). */
export interface TurnObstacle {
  changeId: string | null;
  /** Issue that both the turn and its obstacle write to. */
  issueId: string;
}

/** Renews a turn. Returns what it waits for, or null if it is first. */
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
