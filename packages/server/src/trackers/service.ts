import { randomUUID } from 'node:crypto';
import {
  MOST_TRACKERS,
  type ScopeRuleInput,
  type TrackerCreate,
  type TrackerType,
  type TrackerUpdate,
} from '@winnow/contract/tracker';
import { isBeingDeleted } from '../accounts/deletion/service.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { Connections, newKeyOf } from './connections.ts';
import { healthAfterCheck, NEVER_WRITTEN } from './health.ts';
import { HealthRecord } from './health-record.ts';
import type { Connection, Provider } from './provider.ts';
import { createSampleTracker } from './sample/create.ts';
import { requireOrganization } from './scope.ts';
import * as store from './store.ts';
import { webAddressOf } from './web-address.ts';

export { findTracker, holdTracker, isSyncing } from './store.ts';

export interface TrackersOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  openProvider: (type: TrackerType, connection: Connection) => Provider;
  /** Throws 403 where a confirmed email address is required and the account has none. */
  expectConfirmedEmail: (accountId: string) => Promise<void>;
  /** Asks for a sync, in the transaction that made it necessary. */
  requestSync: (db: Db, accountId: string, trackerId: string) => Promise<void>;
  /** Told, in the transaction that does it, that a tracker's issues are about to go away. */
  onTrackerRemoved: (db: Db, accountId: string, trackerId: string) => Promise<void>;
}

/** Whether somebody still works on a tracker. It is asked in the transaction that would delete the tracker. */
export type BusyCheck = (db: Db, accountId: string, trackerId: string) => Promise<boolean>;

/** A tracker as other features use it: its row, its scope, and the port to it. */
export interface OpenTracker {
  row: store.TrackerRow;
  rules: ScopeRuleInput[];
  provider: Provider;
}

/** The connected trackers of an account. */
export class Trackers {
  readonly #options: TrackersOptions;
  readonly #busyChecks: BusyCheck[] = [];
  /** Trying credentials out before they are saved. */
  readonly connections: Connections;
  /** What work with a tracker tells of its connection. */
  readonly health: HealthRecord;

  constructor(options: TrackersOptions) {
    this.#options = options;
    this.connections = new Connections(options);
    this.health = new HealthRecord(options);
  }

  /** Registers who keeps a tracker from being deleted for as long as they work on it. */
  keepWhile(isBusy: BusyCheck): void {
    this.#busyChecks.push(isBusy);
  }

  list(accountId: string): Promise<store.TrackerView[]> {
    return store.listTrackers(this.#options.db, accountId);
  }

  async get(accountId: string, trackerId: string): Promise<store.TrackerView> {
    const [tracker] = await store.listTrackers(this.#options.db, accountId, trackerId);
    if (!tracker) throw notFound();
    return tracker;
  }

  /**
   * Connects a tracker and starts its first sync. 400 with the tracker's sentence when the connection does not work,
   * 409 when the name is taken or there are too many, 422 when the scope takes in nothing, 403 where the email address has to
   * be confirmed before any tracker other than the sample is connected.
   */
  async create(accountId: string, input: TrackerCreate): Promise<store.TrackerView> {
    const trackerId = randomUUID();
    await this.#expectRoom(this.#options.db, accountId);
    if (input.type !== 'sample') await this.#connect(accountId, trackerId, input);
    else {
      await this.#write(async (transaction) => {
        await store.lockTrackers(transaction, accountId);
        await this.#expectRoom(transaction, accountId);
        await createSampleTracker(transaction, accountId, trackerId, input.name, this.#options.now());
        await this.#queueSync(transaction, accountId, trackerId);
      });
    }
    return this.get(accountId, trackerId);
  }

  async #expectRoom(db: Db, accountId: string): Promise<void> {
    if ((await store.countTrackers(db, accountId)) < MOST_TRACKERS) return;
    throw conflict(
      'too_many_trackers',
      `An account has at most ${MOST_TRACKERS} trackers. Delete one that is not needed any more.`,
    );
  }

  async #connect(
    accountId: string,
    trackerId: string,
    input: Exclude<TrackerCreate, { type: 'sample' }>,
  ): Promise<void> {
    await this.#options.expectConfirmedEmail(accountId);
    requireOrganization(input.scope_rules);
    const url = webAddressOf(input.type, input.url);
    const username = input.config.username ?? null;
    const connection = { accountId, trackerId: null, url, username, apiKey: input.api_key };
    const check = await this.connections.check(input.type, connection);
    await this.#write(async (transaction) => {
      await store.lockTrackers(transaction, accountId);
      await this.#expectRoom(transaction, accountId);
      await store.insertTracker(transaction, {
        account_id: accountId,
        id: trackerId,
        name: input.name,
        tracker_type: input.type,
        url,
        username,
        sealed_key: this.connections.seal(accountId, trackerId, input.api_key),
        login: check.login,
        ...healthAfterCheck(check, NEVER_WRITTEN, this.#options.now()),
      });
      await store.replaceScopeRules(transaction, accountId, trackerId, input.scope_rules);
      await this.#queueSync(transaction, accountId, trackerId);
    });
  }

  /** Changes a tracker; a new address or key is checked first. A changed scope takes effect with the sync it starts. */
  async update(accountId: string, trackerId: string, input: TrackerUpdate): Promise<store.TrackerView> {
    const row = await this.#row(accountId, trackerId);
    const isSample = row.tracker_type === 'sample';
    const rules = isSample ? undefined : input.scope_rules;
    if (rules) requireOrganization(rules);
    const moved = isSample ? {} : await this.#move(row, input);
    await this.#write(async (transaction) => {
      // What falls out of scope must not be what a decision is being written to.
      if (rules) await this.#refuseBusy(transaction, accountId, trackerId);
      await store.updateTracker(transaction, accountId, trackerId, {
        name: input.name,
        updated_at: this.#options.now(),
        ...moved,
      });
      if (rules) await store.replaceScopeRules(transaction, accountId, trackerId, rules);
      await this.#queueSync(transaction, accountId, trackerId);
    });
    return this.get(accountId, trackerId);
  }

  /** What a new address, user or key changes, once it has been checked; nothing when all stay. */
  async #move(row: store.TrackerRow, input: TrackerUpdate): Promise<Partial<store.TrackerRow>> {
    const { account_id: accountId, id: trackerId, tracker_type: type } = row;
    const url = input.url === undefined ? row.url : webAddressOf(type, input.url);
    const username = input.config?.username ?? row.username;
    const newKey = newKeyOf(input.api_key);
    if (newKey === null && url === row.url && username === row.username) return {};
    const apiKey = newKey ?? this.connections.keyFor(row, url);
    const check = await this.connections.check(type, { accountId, trackerId, url, username, apiKey });
    return {
      url,
      username,
      login: check.login,
      ...(newKey === null ? {} : { sealed_key: this.connections.seal(accountId, trackerId, newKey) }),
      ...NEVER_WRITTEN,
      ...healthAfterCheck(check, NEVER_WRITTEN, this.#options.now()),
    };
  }

  /**
   * Removes a tracker and all that came from it. Nothing is written to the tracker itself. 409 `tracker_busy` while
   * somebody who registered still works on it.
   */
  async delete(accountId: string, trackerId: string): Promise<void> {
    const { db, onTrackerRemoved } = this.#options;
    await db.transaction().execute(async (transaction) => {
      // What works on the tracker's issues ends first, and what works on the account's pairs waits.
      if (!(await store.holdTracker(transaction, accountId, trackerId, 'alone'))) throw notFound();
      await this.#refuseBusy(transaction, accountId, trackerId);
      await onTrackerRemoved(transaction, accountId, trackerId);
      await store.deleteTracker(transaction, accountId, trackerId);
    });
  }

  async #refuseBusy(transaction: Db, accountId: string, trackerId: string): Promise<void> {
    for (const isBusy of this.#busyChecks) {
      if (await isBusy(transaction, accountId, trackerId)) throw trackerBusy();
    }
  }

  /** Starts a sync now, or lets the running one be followed by another. */
  async requestSync(accountId: string, trackerId: string): Promise<void> {
    await this.#row(accountId, trackerId);
    await this.#options.db
      .transaction()
      .execute((transaction) => this.#queueSync(transaction, accountId, trackerId));
  }

  /** The port to a stored tracker; 404 when it is gone. */
  async open(accountId: string, trackerId: string): Promise<OpenTracker> {
    const row = await this.#row(accountId, trackerId);
    const rules = await store.scopeRules(this.#options.db, accountId, trackerId);
    return { row, rules, provider: this.connections.open(row) };
  }

  /** As {@link open}, for what goes on by itself: 404 also when the account is locked, as it is about to be removed. */
  async openUnattended(accountId: string, trackerId: string): Promise<OpenTracker> {
    if (await isBeingDeleted(this.#options.db, accountId)) throw notFound();
    return this.open(accountId, trackerId);
  }

  async #queueSync(db: Db, accountId: string, trackerId: string): Promise<void> {
    await store.markQueued(db, accountId, trackerId);
    await this.#options.requestSync(db, accountId, trackerId);
  }

  async #row(accountId: string, trackerId: string): Promise<store.TrackerRow> {
    const row = await store.findTracker(this.#options.db, accountId, trackerId);
    if (!row) throw notFound();
    return row;
  }

  /** One transaction that may meet a name that is taken: 409. */
  async #write(work: (transaction: Db) => Promise<void>): Promise<void> {
    try {
      await this.#options.db.transaction().execute(work);
    } catch (error) {
      throw nameConflict(error) ?? error;
    }
  }
}

function trackerBusy() {
  return conflict(
    'tracker_busy',
    'A decision is being written to this tracker just now. Try again once that is done.',
  );
}

function nameConflict(error: unknown) {
  if (!violates(error, 'tracker_name')) return null;
  const message = 'A tracker of this name is there already.';
  return conflict('tracker_name_taken', message, [{ path: 'name', message }]);
}
