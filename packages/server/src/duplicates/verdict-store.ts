import { type Selectable, sql } from 'kysely';
import type { VerdictTable } from '../schema/duplicate-tables.ts';
import type { Db } from '../schema/tables.ts';

/**
 * Row for a language model's verdict on a pair. Without a decision, the row is only a claim by a
 * process that is asking the model.
 */
export type VerdictRow = Selectable<VerdictTable>;
/** Key of a verdict: the ids of both issues, smaller id first. */
export type VerdictKey = Pick<VerdictRow, 'issue_a' | 'issue_b'>;
/** A model's verdict, with the hash of the question that it answers. */
export type DecidedVerdict = Record<'decided_as', Buffer> & {
  [Column in 'decision' | 'reason' | 'ai_model_id' | 'ai_model_name' | 'prompt']: NonNullable<
    VerdictRow[Column]
  >;
} & Pick<VerdictRow, 'model_identifier' | 'built_in_decision' | 'built_in_relation'> & {
    confidence: number;
    decided_at: Date;
  };

/** Finds the stored verdicts on these pairs, in any order. */
export async function findVerdicts(
  db: Db,
  accountId: string,
  pairs: readonly VerdictKey[],
): Promise<VerdictRow[]> {
  const { rows } = await sql<VerdictRow>`
    select verdict.* from unnest(
      ${pairs.map(({ issue_a }) => issue_a)}::uuid[], ${pairs.map(({ issue_b }) => issue_b)}::uuid[]
    ) as named (a, b)
    join verdict on account_id = ${accountId} and issue_a = named.a and issue_b = named.b
  `.execute(db);
  return rows;
}

/**
 * Claims a pair until `until`, so that only one process asks about it. Returns false if this
 * question has a verdict, is claimed by another process, or has just failed. Also returns false if
 * one of the issues was deleted.
 */
export async function claimVerdict(
  db: Db,
  accountId: string,
  { issue_a, issue_b }: VerdictKey,
  questionHash: Buffer,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into verdict (account_id, issue_a, issue_b, asked_as, asked_until, has_failed)
    select ${accountId}::uuid, a.id, b.id, ${questionHash}::bytea, ${until}::timestamptz, false
    from issue a, issue b
    where a.account_id = ${accountId} and a.id = ${issue_a} and b.account_id = ${accountId} and b.id = ${issue_b}
    on conflict (account_id, issue_a, issue_b) do update
      set asked_as = excluded.asked_as, asked_until = excluded.asked_until, has_failed = false
      where verdict.decided_as is distinct from excluded.asked_as
        and (verdict.asked_as <> excluded.asked_as or verdict.asked_until <= ${now}::timestamptz)
    returning issue_a
  `.execute(db);
  return rows.length > 0;
}

/** Stores a model's verdict, unless the question has changed in the meantime. */
export async function saveVerdict(
  db: Db,
  accountId: string,
  { issue_a, issue_b }: VerdictKey,
  verdict: DecidedVerdict,
): Promise<void> {
  await db
    .updateTable('verdict')
    .set({ ...verdict, asked_until: verdict.decided_at })
    .where('account_id', '=', accountId)
    .where('issue_a', '=', issue_a)
    .where('issue_b', '=', issue_b)
    .where('asked_as', '=', verdict.decided_as)
    .execute();
}

/**
 * Sets the time until which no process may ask about a pair. `has_failed` marks the question as
 * failed.
 */
export async function postponeVerdict(
  db: Db,
  accountId: string,
  { issue_a, issue_b }: VerdictKey,
  questionHash: Buffer,
  until: { asked_until: Date; has_failed?: true },
): Promise<void> {
  await db
    .updateTable('verdict')
    .set(until)
    .where('account_id', '=', accountId)
    .where('issue_a', '=', issue_a)
    .where('issue_b', '=', issue_b)
    .where('asked_as', '=', questionHash)
    .execute();
}
