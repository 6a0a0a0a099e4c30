import type { UsageKind } from '@winnow/contract/usage';
import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Adds to an account's counter for the day, in whatever transaction `db` is: exact together with what it counts. */
export async function addUsage(
  db: Db,
  accountId: string,
  kind: UsageKind,
  count: number,
  now: Date,
): Promise<void> {
  if (count === 0) return;
  await addMany(db, [{ accountId, kind, count, day: dayOf(now) }]);
}

/** An account's counter over all days. */
export async function totalUsage(db: Db, accountId: string, kind: UsageKind): Promise<number> {
  const row = await db
    .selectFrom('usage_counter')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('count'), sql<number>`0`).as('total'))
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

interface Tally {
  accountId: string;
  kind: UsageKind;
  day: string;
  count: number;
}

/**
 * Counts what has no transaction of its own, such as requests: in memory, written at most once per interval in one
 * statement, and again at the next interval when that failed. {@link flush} before reading a total and {@link close}
 * before stopping; then no count is lost.
 */
export class RequestMeter {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #intervalMs: number;
  readonly #onError: (error: unknown) => void;
  #tallies = new Map<string, Tally>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: {
    db: Db;
    now: () => Date;
    onError: (error: unknown) => void;
    intervalMs?: number;
  }) {
    this.#db = options.db;
    this.#now = options.now;
    this.#onError = options.onError;
    this.#intervalMs = options.intervalMs ?? 1000;
  }

  count(accountId: string, kind: UsageKind): void {
    this.#add({ accountId, kind, day: dayOf(this.#now()), count: 1 });
    this.#writeLater();
  }

  /** Writes everything counted so far. What could not be written is kept for the next time. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.#writing.then(() => this.#write());
    this.#writing = next.catch(() => undefined);
    return next;
  }

  /** Writes everything a last time. */
  close(): Promise<void> {
    this.#closed = true;
    return this.flush();
  }

  #writeLater(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.#onError);
    }, this.#intervalMs);
  }

  async #write(): Promise<void> {
    const tallies = [...this.#tallies.values()];
    if (tallies.length === 0) return;
    this.#tallies = new Map();
    try {
      await addMany(this.#db, tallies);
    } catch (error) {
      for (const tally of tallies) this.#add(tally);
      this.#writeLater();
      throw error;
    }
  }

  #add(tally: Tally): void {
    const key = `${tally.accountId} ${tally.kind} ${tally.day}`;
    const known = this.#tallies.get(key);
    if (known) known.count += tally.count;
    else this.#tallies.set(key, { ...tally });
  }
}

async function addMany(db: Db, tallies: Tally[]): Promise<void> {
  await sql`
    insert into usage_counter (account_id, kind, day, count)
    select account_id, kind, day, count
    from unnest(
      ${tallies.map((tally) => tally.accountId)}::uuid[],
      ${tallies.map((tally) => tally.kind)}::text[],
      ${tallies.map((tally) => tally.day)}::date[],
      ${tallies.map((tally) => tally.count)}::bigint[]
    ) as tally (account_id, kind, day, count)
    where exists (select from account where account.id = tally.account_id)
    on conflict (account_id, kind, day) do update set count = usage_counter.count + excluded.count
  `.execute(db);
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
