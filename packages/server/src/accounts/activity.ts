import { randomUUID } from 'node:crypto';
import type { AccountEventKind } from '@winnow/contract/account-activity';
import type { AuditEventKind } from '@winnow/contract/audit';
import { HOUR_MS } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './activity-store.ts';
import { insertUserEvent } from './audit/store.ts';
import type { Client } from './client.ts';
import { NO_USER } from './store.ts';

/** An event of a user's account. */
export interface AccountEventInput {
  userId: string;
  kind: AccountEventKind;
  /** Time of the event, if it is recorded later. */
  at?: Date;
  /** Null if no request of the user's browser caused the event. */
  client: Pick<Client, 'address' | 'userAgent'> | null;
  /** Subject of the event, such as the name of a key. Never a secret. */
  detail?: string;
  /**
   * True for an event that is logged but not shown to the user. An unconfirmed address may belong
   * to someone else. A user who saw events about that address would learn that no other account had
   * it.
   */
  isHidden?: boolean;
}

/** Events that also enter the audit logs of the user's workspaces. */
const AUDITED_EVENTS: Partial<Record<AccountEventKind, AuditEventKind>> = {
  signed_in: 'signed_in',
  new_device: 'signed_in',
  sign_in_failed: 'sign_in_failed',
  code_check_failed: 'sign_in_failed',
  second_factor_added: 'second_factor_added',
  second_factor_removed: 'second_factor_removed',
  password_changed: 'password_changed',
  password_reset: 'password_changed',
};

/** Record of account events, shown to their owners and written to the log. */
export class AccountActivity {
  readonly #log: Log;
  readonly #now: () => Date;

  constructor({ log, now }: { log: Log; now: () => Date }) {
    this.#log = log;
    this.#now = now;
  }

  /**
   * Records an event. For an unknown user id it runs the same statement, so that it takes the same
   * time. It then stores nothing and logs the event without a user.
   */
  async record(db: Db, event: AccountEventInput): Promise<void> {
    await this.#record(db, event, null);
  }

  /**
   * Records an event that many requests can cause, at most once an hour per account. Returns
   * whether it was recorded.
   */
  recordOncePerHour(db: Db, event: AccountEventInput): Promise<boolean> {
    return this.#record(db, event, new Date(this.#now().getTime() - HOUR_MS));
  }

  async #record(
    db: Db,
    { userId, kind, at = this.#now(), client, detail, isHidden = false }: AccountEventInput,
    unlessSince: Date | null,
  ): Promise<boolean> {
    const { address = null, userAgent = null } = client ?? {};
    const auditKind = AUDITED_EVENTS[kind];
    if (auditKind !== undefined && !isHidden && unlessSince === null) {
      await insertUserEvent(db, userId, { kind: auditKind, at: this.#now(), address });
    }
    const accountId = await store.insertEvent(db, {
      id: randomUUID(),
      ...{ at, kind, address, userAgent, unlessSince },
      userId: isHidden ? NO_USER : userId,
      detail: detail ?? null,
    });
    if (accountId === undefined && unlessSince !== null) return false;
    const unlisted = isHidden ? { userId } : { unknownUser: true };
    const owner = accountId === undefined ? unlisted : { accountId, userId };
    this.#log.info({ ...owner, event: kind, address, userAgent, detail }, 'Account event.');
    return true;
  }

  list(db: Db, accountId: string, page: { limit: number; skip: number }) {
    return store.listEvents(db, accountId, page);
  }
}
