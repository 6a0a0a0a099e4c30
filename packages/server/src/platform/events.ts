import { setTimeout as pause } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Client, type PoolConfig } from 'pg';
import { holdInstanceLock } from './instance-lock.ts';
import type { Log } from './log.ts';

/** Receives an event and its number in the account's sequence. */
export type EventHandler<Event> = (event: Event, sequence: number) => void;

interface SubscribeOptions {
  /** Called after a lost connection if events may have been missed. Reload any displayed data. */
  readonly onMissed?: () => void;
}

/**
 * Sends events of an account to all processes that subscribe to it. The methods do not use `this`,
 * so they can be passed as plain functions.
 */
export interface Events<Event> {
  /**
   * Publishes an event to all subscribers of the account. With a transaction (`db`), the event is
   * published at commit. Other publishers of the account wait for that commit, so publish last in
   * the transaction. An event has at most {@link MAX_EVENT_BYTES} bytes of JSON.
   */
  publish(accountId: string, event: Event, options?: { db?: QueryExecutorProvider }): Promise<void>;
  /**
   * Calls the handler with each event of the account once, in order. Call the returned function to
   * unsubscribe.
   */
  subscribe(accountId: string, handler: EventHandler<Event>, options?: SubscribeOptions): () => void;
  /**
   * Resolves when the subscription is active: later events of the account are delivered. Waits for
   * the database if it is down.
   */
  listening(accountId: string): Promise<void>;
  /** Stops listening. No handler is called afterwards. */
  close(): Promise<void>;
}

/**
 * A PostgreSQL notification holds less than 8,000 bytes. The remaining bytes are for the account's
 * counter and other fields that we add.
 */
const MAX_EVENT_BYTES = 7_000;
const MIN_RECONNECT_DELAY_MS = 50;
const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * Opens the event bus over LISTEN and NOTIFY. Each process has one connection, which listens to one
 * channel per account. After a lost connection, a counter per account in the database shows whether
 * events were missed.
 *
 * Notifications take a database-wide lock at commit. So publish one event per visible change, not
 * one per row.
 *
 * @throws if the database cannot be reached. Connections lost later are reopened automatically.
 */
export async function openEvents<Event extends { readonly type: string }>(options: {
  connection: PoolConfig;
  db: QueryExecutorProvider;
  log: Log;
}): Promise<Events<Event>> {
  const listener = new Listener<Event>(options.connection, options.log);
  await listener.open();
  return {
    async publish(accountId, event, { db = options.db } = {}) {
      const text = JSON.stringify(event);
      if (Buffer.byteLength(text) > MAX_EVENT_BYTES) {
        throw new RangeError(`An event of type ${event.type} is too large to be published.`);
      }
      await sql`
        with numbered as (
          insert into event_sequence as sequence (account_id, last_sequence) values (${accountId}, 1)
          on conflict (account_id) do update set last_sequence = sequence.last_sequence + 1
          returning last_sequence
        )
        select pg_notify(
          ${channelOf(accountId)},
          json_build_object('sequence', last_sequence, 'event', ${text}::json)::text
        ) from numbered
      `.execute(db);
    },
    subscribe: (accountId, handler, { onMissed } = {}) => listener.subscribe(accountId, handler, onMissed),
    listening: (accountId) => listener.listening(accountId),
    close: () => listener.close(),
  };
}

interface Channel<Event> {
  readonly accountId: string;
  readonly subscribers: Set<{ handler: EventHandler<Event>; onMissed: (() => void) | undefined }>;
  /** Number of the last known event. Null until the process listens to the channel. */
  lastSequence: number | null;
  listening: PromiseWithResolvers<void>;
}

class Listener<Event> {
  readonly #connection: PoolConfig;
  readonly #log: Log;
  readonly #channels = new Map<string, Channel<Event>>();
  readonly #closing = new AbortController();
  #client: Client | null = null;
  #reconnecting: Promise<void> = Promise.resolve();

  constructor(connection: PoolConfig, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  async open(): Promise<void> {
    const client = new Client({ ...this.#connection, application_name: 'winnow events', keepAlive: true });
    client.on('error', (error) => this.#log.warn({ error }, 'The connection for live events was lost.'));
    client.on('notification', ({ channel, payload }) =>
      this.#call(() => this.#receive(channel, payload ?? '')),
    );
    await client.connect();
    await holdInstanceLock(client);
    if (this.#closing.signal.aborted) {
      await client.end();
      return;
    }
    client.once('end', () => {
      if (this.#client !== client) return;
      this.#client = null;
      for (const channel of this.#channels.values()) channel.listening = Promise.withResolvers();
      this.#reconnecting = this.#reconnect();
    });
    this.#client = client;
    for (const name of this.#channels.keys()) await this.#listen(client, name);
  }

  subscribe(accountId: string, handler: EventHandler<Event>, onMissed?: () => void): () => void {
    const name = channelOf(accountId);
    const subscriber = { handler, onMissed };
    const known = this.#channels.get(name);
    if (known !== undefined) known.subscribers.add(subscriber);
    else {
      this.#channels.set(name, {
        accountId,
        subscribers: new Set([subscriber]),
        lastSequence: null,
        listening: Promise.withResolvers(),
      });
      if (this.#client !== null) this.#run(this.#listen(this.#client, name));
    }
    return () => this.#unsubscribe(name, subscriber);
  }

  async listening(accountId: string): Promise<void> {
    await this.#channels.get(channelOf(accountId))?.listening.promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#channels.clear();
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#reconnecting;
  }

  #unsubscribe(name: string, subscriber: { handler: EventHandler<Event> }): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    for (const candidate of channel.subscribers) {
      if (candidate === subscriber) channel.subscribers.delete(candidate);
    }
    if (channel.subscribers.size > 0) return;
    this.#channels.delete(name);
    if (this.#client !== null) this.#run(this.#client.query(`unlisten ${name}`));
  }

  /**
   * Listens to the channel. Compares the account's counter with the last known event to detect
   * missed events.
   */
  async #listen(client: Client, name: string): Promise<void> {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    await client.query(`listen ${name}`);
    const { rows } = await client.query<{ last: number }>(
      'select coalesce(max(last_sequence), 0)::float8 as last from event_sequence where account_id = $1',
      [channel.accountId],
    );
    const last = rows[0]?.last ?? 0;
    const hasMissed = channel.lastSequence !== null && last > channel.lastSequence;
    channel.lastSequence = Math.max(last, channel.lastSequence ?? 0);
    channel.listening.resolve();
    if (hasMissed) this.#notifyMissed(channel);
  }

  #receive(name: string, payload: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    const { sequence, event }: { sequence: number; event: Event } = JSON.parse(payload);
    const expected = (channel.lastSequence ?? sequence - 1) + 1;
    channel.lastSequence = Math.max(sequence, channel.lastSequence ?? 0);
    if (sequence > expected) this.#notifyMissed(channel);
    for (const { handler } of [...channel.subscribers]) this.#call(() => handler(event, sequence));
  }

  #notifyMissed(channel: Channel<Event>): void {
    for (const { onMissed } of [...channel.subscribers]) if (onMissed !== undefined) this.#call(onMissed);
  }

  /** Calls a subscriber. Its error is logged and does not affect the others. */
  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#log.error({ error }, 'A live event handler failed.');
    }
  }

  /**
   * Runs `work` on the connection and ignores failures: the next connection listens to every
   * channel again.
   */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#log.debug({ error }, 'The connection for live events is broken.'));
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (
      let pauseMs = MIN_RECONNECT_DELAY_MS;
      !signal.aborted;
      pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_DELAY_MS)
    ) {
      try {
        await this.open();
        return;
      } catch (error) {
        this.#log.debug({ error }, 'Live events cannot reach the database yet.');
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/**
 * Returns the name of an account's notification channel, an identifier that needs no quotes (at
 * most 63 bytes). Throws if the account id is not a UUID.
 */
function channelOf(accountId: string): string {
  const digits = accountId.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits)) throw new TypeError(`"${accountId}" is not an account id.`);
  return `account_${digits}`;
}
