import { type Calibration, type LabeledPair, UNCALIBRATED } from '@winnow/analysis/calibration';
import type { PairJudgment } from '@winnow/contract/duplicate';
import { type Selectable, sql } from 'kysely';
import type { Actor } from '../../changes/index.ts';
import type { PairCalibrationTable } from '../../schema/duplicate-tables.ts';
import type { Db } from '../../schema/tables.ts';
import { pairLogOdds, pairProbability } from '../pair-probability-store.ts';
import { lockPairs, type PairRow } from '../store.ts';

export type CalibrationRow = Selectable<PairCalibrationTable>;
/** The user or API key that judges a pair. */
export type Judge = Pick<Actor, 'type' | 'name'>;
type Pair = Pick<PairRow, 'issue_a' | 'issue_b'>;

/** Number of pairs whose probability is updated per transaction. */
const UPDATE_BATCH = 5_000;

/** A judged pair, with the time of its judgment. */
export type DatedPair = LabeledPair & { judgedAt: Date };

/** Stores the judgment of a pair. Replaces an earlier judgment. */
export async function storeJudgment(
  db: Db,
  accountId: string,
  { issue_a, issue_b }: Pair,
  { judgment, by, at }: { judgment: PairJudgment; by: Judge; at: Date },
): Promise<void> {
  const values = { judgment, judged_by: by.name, judged_by_type: by.type, judged_at: at };
  await db
    .insertInto('pair_judgment')
    .values({ account_id: accountId, issue_a, issue_b, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'issue_a', 'issue_b']).doUpdateSet(values))
    .execute();
}

/** Removes the judgment of a pair. */
export async function removeJudgment(db: Db, accountId: string, { issue_a, issue_b }: Pair): Promise<void> {
  await db
    .deleteFrom('pair_judgment')
    .where('account_id', '=', accountId)
    .where('issue_a', '=', issue_a)
    .where('issue_b', '=', issue_b)
    .execute();
}

/**
 * Returns the pairs that people judged, with their log-odds before calibration. Omits pairs that
 * are not stored. Also omits pairs with equal texts, because a rule decides them.
 */
export async function findLabeledPairs(
  db: Db,
  accountId: string,
  identicalFrom: number,
): Promise<DatedPair[]> {
  const { rows } = await sql<DatedPair>`
    select concat(pair.issue_a, pair.issue_b) as key,
           ${pairLogOdds(sql`pair.log_odds`)}::float8 as "logOdds",
           pair_judgment.judgment = 'same' as "isSame",
           pair_judgment.judged_at as "judgedAt"
    from pair_judgment
    join pair on pair.account_id = pair_judgment.account_id
      and pair.issue_a = pair_judgment.issue_a and pair.issue_b = pair_judgment.issue_b
    join issue a on a.account_id = pair.account_id and a.id = pair.issue_a
    join issue b on b.account_id = pair.account_id and b.id = pair.issue_b
    where pair_judgment.account_id = ${accountId} and pair_judgment.judged_by_type = 'user'
      and pair.similarity < ${identicalFrom}::real
  `.execute(db);
  return rows;
}

/**
 * Returns the calibration that applies to the account's pairs, and the number of judgments to which
 * it was fitted. Without a stored calibration, returns the default one.
 */
export async function calibrationOf(db: Db, accountId: string): Promise<Calibration & { judged: number }> {
  const row = await findCalibration(db, accountId);
  if (row?.is_applied !== true) return { ...UNCALIBRATED, judged: 0 };
  return { slope: row.slope, offset: row.offset, judged: row.judged };
}

/** Returns the stored calibration of an account; undefined if there is none. */
export function findCalibration(db: Db, accountId: string): Promise<CalibrationRow | undefined> {
  return db.selectFrom('pair_calibration').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** Replaces the calibration of an account. */
export async function storeCalibration(db: Db, row: CalibrationRow): Promise<void> {
  const { account_id: _, ...values } = row;
  await db
    .insertInto('pair_calibration')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

/**
 * Two calibrations are considered equal if their slopes, and their offsets, differ by less than
 * this.
 */
const MAX_CLOSE_DIFFERENCE = 0.02;

/** True if two calibrations are so similar that probabilities need not be recomputed. */
export function areClose(one: Calibration, other: Calibration): boolean {
  return (
    Math.abs(one.slope - other.slope) < MAX_CLOSE_DIFFERENCE &&
    Math.abs(one.offset - other.offset) < MAX_CLOSE_DIFFERENCE
  );
}

/** Recomputes the probabilities of all pairs, in several transactions. */
export async function refreshProbabilities(db: Db, accountId: string, signal: AbortSignal): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    signal.throwIfAborted();
    const last = await db.transaction().execute(async (transaction) => {
      await lockPairs(transaction, accountId);
      const { rows } = await sql<{ last: string | null }>`
        with batch as materialized (
          select id from pair where account_id = ${accountId} and id > ${after}::uuid order by id limit ${UPDATE_BATCH}
        ), updated as (
          update pair
          set probability = ${pairProbability(accountId, sql`pair.log_odds`, sql`pair.similarity`)}
          from batch, issue a, issue b
          where pair.account_id = ${accountId} and pair.id = batch.id
            and a.account_id = ${accountId} and a.id = pair.issue_a
            and b.account_id = ${accountId} and b.id = pair.issue_b
        )
        select (select id from batch order by id desc limit 1)::text as last
      `.execute(transaction);
      return rows[0]?.last ?? null;
    });
    if (last === null) return;
    after = last;
  }
}
