import { randomUUID } from 'node:crypto';
import type { AuditEventKind } from '@winnow/contract/audit';
import type { Db } from '../../schema/tables.ts';
import type { Client } from '../client.ts';
import * as store from './store.ts';

/** The user, key or process that caused an event. A user or an API key has an id. */
export type AuditActor = store.NewAuditEvent['actor'];

/** An event to record. */
export interface AuditEntry {
  kind: AuditEventKind;
  actor: AuditActor;
  /** Null if no request caused the event. */
  client: Pick<Client, 'address'> | null;
  /** Name of what the event concerns. Never a secret. */
  subject?: string | null;
  details?: Record<string, string>;
}

/** Audit log of workspaces. */
export class AuditLog {
  readonly #now: () => Date;

  constructor({ now }: { now: () => Date }) {
    this.#now = now;
  }

  /** Records an event of a workspace, in the transaction that makes the change. */
  async record(
    db: Db,
    accountId: string,
    { kind, actor, client, subject = null, details = {} }: AuditEntry,
  ): Promise<void> {
    const event = { id: randomUUID(), at: this.#now(), kind, actor };
    await store.insertAuditEvent(db, accountId, {
      ...{ ...event, subject, details },
      address: client?.address ?? null,
    });
  }

  list(
    db: Db,
    accountId: string,
    filter: store.AuditFilter,
    page: { limit: number; skip: number },
  ): Promise<{ events: store.AuditEventRow[]; total: number }> {
    return store.listAuditEvents(db, accountId, filter, page);
  }

  /** Yields all events that match, newest first. Holds one batch in memory. */
  async *read(db: Db, accountId: string, filter: store.AuditFilter): AsyncGenerator<store.AuditEventRow> {
    const batch = 1_000;
    let last: store.AuditEventRow | null = null;
    for (;;) {
      const rows: store.AuditEventRow[] = await store.readAuditEvents(db, accountId, filter, last, batch);
      yield* rows;
      last = rows.at(-1) ?? null;
      if (rows.length < batch) return;
    }
  }
}
