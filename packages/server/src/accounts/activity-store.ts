import type { AccountEventKind } from '@winnow/contract/account-activity';
import { type Selectable, sql } from 'kysely';
import { deleteInBatches } from '../platform/batched-delete.ts';
import { prepared } from '../platform/database.ts';
import type { AccountEventTable } from '../schema/account-tables.ts';
import type { Db } from '../schema/tables.ts';

export type AccountEventRow = Selectable<AccountEventTable>;

export interface NewAccountEvent {
  id: string;
  userId: string;
  kind: AccountEventKind;
  at: Date;
  address: string | null;
  userAgent: string | null;
  detail: string | null;
  /**
   * The event is not stored if the account already has one of its kind since this time. Null to
   * store every event.
   */
  unlessSince: Date | null;
}

/**
 * Stores an event and returns the id of the user's account, or undefined if nothing was stored. For
 * an unknown user id it runs the same statement and stores nothing. It also stores nothing for an
 * account that is being deleted.
 */
export async function insertEvent(db: Db, event: NewAccountEvent): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string }>`
    ${prepared} insert into account_event (account_id, id, kind, at, address, user_agent, detail)
    select app_user.account_id, ${event.id}::uuid, ${event.kind}, ${event.at}::timestamptz, ${event.address},
      ${event.userAgent}, ${event.detail}
    from app_user join account on account.id = app_user.account_id
    where app_user.id = ${event.userId} and not exists (
      select from account_event as other
      where other.account_id = app_user.account_id and other.kind = ${event.kind}
        and other.at >= ${event.unlessSince}::timestamptz
    )
    for key share of account
    returning account_id
  `.execute(db);
  return rows[0]?.account_id;
}

/** Returns a page of an account's events, newest first. */
export async function listEvents(
  db: Db,
  accountId: string,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ events: AccountEventRow[]; total: number }> {
  const ofAccount = db.selectFrom('account_event').where('account_id', '=', accountId);
  const events = await ofAccount
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute();
  const { total } = await ofAccount
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { events, total };
}

/** Deletes events of all accounts before an instant. */
export function removeEventsBefore(db: Db, before: Date): Promise<void> {
  return deleteInBatches(db, 'account_event', sql<boolean>`at < ${before}`);
}
