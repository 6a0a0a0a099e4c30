import { randomUUID } from 'node:crypto';
import {
  MAX_TRACKERS,
  type ScopeRuleInput,
  type TrackerCreate,
  type TrackerType,
  type TrackerUpdate,
} from '@winnow/contract/tracker';
import { isBeingDeleted } from '../accounts/index.ts';
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

export interface TrackersOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  openProvider: (type: TrackerType, connection: Connection) => Provider;
  /** Throws `forbidden` if this account must confirm its email address first. */
  expectConfirmedEmail: (accountId: string) => Promise<void>;
  /** Schedules a sync in the given transaction. */
  requestSync: (db: Db, accountId: string, trackerId: string) => Promise<void>;
  /** Called before a tracker's issues are deleted, in the same transaction. */
  onTrackerRemoved: (db: Db, accountId: string, trackerId: string) => Promise<void>;
}

/**
 * Returns true while a tracker is in use and must not be deleted. Called in the transaction that
 * would delete it.
 */
export type BusyCheck = (db: Db, accountId: string, trackerId: string) => Promise<boolean>;

/** A tracker for use by other features: its database row, scope rules and provider. */
export interface OpenTracker {
  row: store.TrackerRow;
  rules: ScopeRuleInput[];
  provider: Provider;
}

/** Manages the trackers of accounts. */
export class Trackers {
  readonly #options: TrackersOptions;
  readonly #busyChecks: BusyCheck[] = [];
  /** Tests credentials before they are saved, and opens connections. */
  readonly connections: Connections;
  /** Records the health of connections to trackers. */
  readonly health: HealthRecord;

  constructor(options: TrackersOptions) {
    this.#options = options;
    this.connections = new Connections(options);
    this.health = new HealthRecord(options);
  }

  /** Registers a check that prevents the deletion of a tracker while it is in use. */
  addBusyCheck(isBusy: BusyCheck): void {
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
   * Connects a tracker and starts its first sync.
   * @throws {AppError} `bad_request` with the tracker's message if the connection does not work
   * @throws {AppError} `conflict` for a taken name or too many trackers; `invalid` for an empty
   * scope
   * @throws {AppError} `forbidden` if the email address must be confirmed first. The sample backlog
   * does not require that
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
    if ((await store.countTrackers(db, accountId)) < MAX_TRACKERS) return;
    throw conflict(
      'too_many_trackers',
      `An account has at most ${MAX_TRACKERS} trackers. Delete one you do not need.`,
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

  /**
   * Updates a tracker. A new address or key is verified first. The update starts a sync, which
   * applies a changed scope.
   */
  async update(accountId: string, trackerId: string, input: TrackerUpdate): Promise<store.TrackerView> {
    const row = await this.#row(accountId, trackerId);
    const isSample = row.tracker_type === 'sample';
    const rules = isSample ? undefined : input.scope_rules;
    if (rules) requireOrganization(rules);
    const moved = isSample ? {} : await this.#move(row, input);
    await this.#write(async (transaction) => {
      // Refuses a new scope while a change is being written to the tracker, because the change may
      // concern a project that would leave the scope.
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

  /**
   * Verifies a new address, user or key, and returns the columns to update. Returns no columns if
   * nothing changed. Throws 403 if the email address must be confirmed first.
   */
  async #move(row: store.TrackerRow, input: TrackerUpdate): Promise<Partial<store.TrackerRow>> {
    const { account_id: accountId, id: trackerId, tracker_type: type } = row;
    const url = input.url === undefined ? row.url : webAddressOf(type, input.url);
    const username = input.config?.username ?? row.username;
    const newKey = newKeyOf(input.api_key);
    if (newKey === null && url === row.url && username === row.username) return {};
    await this.#options.expectConfirmedEmail(accountId);
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
   * Deletes a tracker and all data derived from it. Writes nothing to the tracker itself.
   * @throws {AppError} `conflict` (code `tracker_busy`) while the tracker is in use
   */
  async delete(accountId: string, trackerId: string): Promise<void> {
    const { db, onTrackerRemoved } = this.#options;
    await db.transaction().execute(async (transaction) => {
      // The exclusive lock waits for running transactions that store issues of the tracker, and
      // blocks new ones.
      if (!(await store.lockTrackerRow(transaction, accountId, trackerId, 'exclusive'))) throw notFound();
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

  /** Starts a sync. If a sync is already running, schedules another one after it. */
  async requestSync(accountId: string, trackerId: string): Promise<void> {
    await this.#row(accountId, trackerId);
    await this.#options.db
      .transaction()
      .execute((transaction) => this.#queueSync(transaction, accountId, trackerId));
  }

  /**
   * Opens a stored tracker.
   * @throws {AppError} `not_found` if it does not exist
   */
  async open(accountId: string, trackerId: string): Promise<OpenTracker> {
    const row = await this.#row(accountId, trackerId);
    const rules = await store.scopeRules(this.#options.db, accountId, trackerId);
    return { row, rules, provider: this.connections.open(row) };
  }

  /**
   * Like {@link open}, but for background work.
   * @throws {AppError} `not_found` if the tracker does not exist, or its account is locked for
   * removal
   */
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

  /** Runs `work` in a transaction. Throws 409 if the name of the tracker is already taken. */
  async #write(work: (transaction: Db) => Promise<void>): Promise<void> {
    try {
      await this.#options.db.transaction().execute(work);
    } catch (error) {
      throw nameConflict(error) ?? error;
    }
  }
}

function trackerBusy() {
  return conflict('tracker_busy', 'A decision is being written to this tracker. Try again when it is done.');
}

function nameConflict(error: unknown) {
  if (!violates(error, 'tracker_name')) return null;
  const message = 'A tracker with this name already exists.';
  return conflict('tracker_name_taken', message, [{ path: 'name', message }]);
}
