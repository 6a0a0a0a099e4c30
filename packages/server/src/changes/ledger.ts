import type { BaseHashes, ChangeKind, StepAction } from '@winnow/contract/change';
import type { IssueIntake } from '../issues/intake.ts';
import { type IssuePlace, placesOf } from '../issues/service.ts';
import { notFound } from '../platform/errors.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import type { Trackers } from '../trackers/service.ts';
import type { ActionHandler } from './action-handler.ts';
import { type Actor, type Asked, type AskedHow, requestOf } from './asked.ts';
import { expectFree } from './being-changed.ts';
import { Deciding } from './deciding.ts';
import { type KindHandler, KindHandlers } from './kind-handlers.ts';
import type { ChangePlan } from './plan.ts';
import { type SaveOptions, Saving } from './saving.ts';
import * as store from './store.ts';
import { TrackerChecks } from './tracker-checks.ts';
import { APPLY_WAIT_MS, whenSettled } from './when-settled.ts';
import { type WantedTurn, WriteTurns } from './write-turns.ts';

export type { Actor, Asked, SavedAs } from './asked.ts';
export type { KindHandler } from './kind-handlers.ts';
export type { ChangeRecord } from './store.ts';

export interface LedgerOptions {
  db: Db;
  trackers: Trackers;
  intake: IssueIntake;
  events: Pick<Events<AccountEvent>, 'publish' | 'subscribe' | 'listening'>;
  /** Queues the durable job that applies a change, in the transaction that saved it. */
  requestApply: (db: Db, accountId: string, changeId: string) => Promise<void>;
  /** How long a write waits for others to the same issues; a few seconds unless given. */
  writeWaitMs?: number;
}

/** A write before it is planned. */
export interface WantedWrite {
  issueIds: readonly string[];
  /** Makes the plan when the write has its turn. */
  plan: () => Promise<ChangePlan>;
  /** The hashes of the issues as the caller saw them. */
  seen?: BaseHashes | undefined;
}

/** The ledger of changes: every write to a tracker is saved here first, then applied step by step, and can be undone. */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #kinds = new KindHandlers();
  readonly #actions = new Map<StepAction, ActionHandler>();
  readonly #saving: Saving;
  readonly #deciding: Deciding;
  readonly #turns: WriteTurns;

  constructor(options: LedgerOptions) {
    const { db, events, requestApply } = options;
    const saving = { db, events, requestApply, checks: new TrackerChecks(options), kinds: this.#kinds };
    this.#options = options;
    this.#saving = new Saving(saving);
    this.#turns = new WriteTurns({
      db,
      whenSettled: (accountId, changeId, until) => this.whenSettled(accountId, changeId, until),
      waitMs: options.writeWaitMs,
    });
    this.#deciding = new Deciding({
      ...saving,
      saving: this.#saving,
      turns: this.#turns,
      actionHandler: (action) => this.actionHandler(action),
    });
  }

  /** Registers the feature that plans changes of this kind. Composition calls it once per kind. */
  handleKind(kind: ChangeKind, handler: KindHandler): void {
    this.#kinds.register(kind, handler);
  }

  /** Registers what carries out the steps of an action that is no tracker's. Composition calls it once per action. */
  handleAction(action: StepAction, handler: ActionHandler): void {
    this.#actions.set(action, handler);
  }

  /** What carries out the steps of an action that is no tracker's; part of applying. */
  actionHandler(action: StepAction): ActionHandler {
    const handler = this.#actions.get(action);
    if (!handler) throw new Error(`Nobody carries out steps of the action ${action}.`);
    return handler;
  }

  /** Tells the handler of a settled change's kind; part of applying. */
  async announce(db: Db, record: store.ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    await this.#kinds.settled(db, record, outcome);
  }

  /**
   * Saves a change as it is asked for, and answers its id. One that is to be applied is queued, and its issues are read again
   * first: when one differs from what was planned on, or from the hashes the caller saw, nothing is saved and 409
   * `changed_since` says so; what was read is stored. 502 when a tracker cannot be read, or not before the signal. For one
   * that is proposed no tracker is asked: it is held against what is stored. The handler of its kind has the last word, in
   * the transaction that saves.
   */
  save(accountId: string, asked: Asked, plan: ChangePlan, options: SaveOptions = {}): Promise<string> {
    return this.#saving.save(accountId, asked, plan, options);
  }

  /**
   * Runs `save`, which plans a change and calls {@link save}, when no earlier write to these issues is under way. Returns what
   * it returns: the id of the change, or null when there is nothing to write; for a request that was saved before, that change.
   * @throws {AppError} 409 with `Retry-After` when the wait takes too long; the reason of an aborted `asked.signal`
   */
  async inTurn<Saved extends string | null>(
    accountId: string,
    { actor, request, signal }: Pick<Asked, 'actor' | 'request' | 'signal'>,
    wanted: Omit<WantedTurn, 'signal'>,
    save: () => Promise<Saved>,
  ): Promise<Saved | string> {
    const before = request === undefined ? null : await this.requested(accountId, actor, request);
    return before?.changeId ?? this.#turns.run(accountId, { ...wanted, signal }, save);
  }

  /** Plans and saves a change {@link inTurn}; returns it once it is settled, or as it is after a while; a proposal at once. */
  async carryOut(
    accountId: string,
    asked: Asked,
    { issueIds, plan, seen }: WantedWrite,
  ): Promise<store.ChangeRecord> {
    const save = async () => this.save(accountId, asked, await plan(), { seen });
    return this.whenSettled(accountId, await this.inTurn(accountId, asked, { issueIds }, save));
  }

  /** Begins what was proposed, as {@link save} begins a change. 409 also when it does not wait for approval. */
  approve(accountId: string, actor: Actor, changeId: string, how: AskedHow = {}): Promise<void> {
    return this.#deciding.approve(accountId, actor, changeId, how);
  }

  /** Turns down what was proposed. 409 when it does not wait for approval. */
  reject(accountId: string, actor: Actor, changeId: string): Promise<void> {
    return this.#deciding.reject(accountId, actor, changeId);
  }

  /** Takes an applied change back, as {@link Deciding.undo} says; answers the id of the change that does it. */
  undo(accountId: string, actor: Actor, changeId: string, how: AskedHow = {}): Promise<string> {
    return this.#deciding.undo(accountId, actor, changeId, how);
  }

  /** Tries the steps that failed once more, as {@link Deciding.retry} says. */
  retry(accountId: string, actor: Actor, changeId: string, how: AskedHow = {}): Promise<void> {
    return this.#deciding.retry(accountId, actor, changeId, how);
  }

  /** What waits for approval, of one kind and about all of these issues. */
  proposals(db: Db, accountId: string, kind: ChangeKind, issueIds: readonly string[]) {
    return store.listProposals(db, accountId, kind, issueIds);
  }

  /** Turns down proposals that a decision has made pointless, in its transaction. */
  async overtake(db: Db, accountId: string, changeIds: readonly string[], decidedBy: string): Promise<void> {
    for (const changeId of changeIds) {
      await store.decideChange(db, accountId, changeId, 'rejected', decidedBy);
    }
  }

  async get(accountId: string, changeId: string): Promise<store.ChangeRecord> {
    const record = await store.findChange(this.#options.db, accountId, changeId);
    if (!record) throw notFound();
    return record;
  }

  /** Returns the ids of the issues that changes are about or write to, and of the projects in which they create some. */
  writtenTo(accountId: string, changeIds: readonly string[]): Promise<string[]> {
    return store.idsWrittenTo(this.#options.db, accountId, changeIds);
  }

  /** Finds where the issues of a plan are, and the projects that it creates issues in, by id. */
  placesOf(accountId: string, { issues, steps }: ChangePlan): Promise<Map<string, IssuePlace>> {
    const written = steps.map(({ issueId, memory }) => memory?.project_id ?? issueId);
    return placesOf(this.#options.db, accountId, [...issues.map(({ id }) => id), ...written]);
  }

  /** The change that was saved for this request of the actor; null when none was. */
  requested(
    accountId: string,
    actor: Pick<Actor, 'id'>,
    request: string,
  ): Promise<store.RequestedChange | null> {
    return store.findRequested(this.#options.db, accountId, actor.id, request);
  }

  /** The changes that were saved for requests of the actor whose names begin like this, the oldest first. */
  async everyRequested(
    accountId: string,
    actor: Pick<Actor, 'id'>,
    beginning: string,
  ): Promise<{ request: string; record: store.ChangeRecord }[]> {
    const records = await store.listRequested(this.#options.db, accountId, actor.id, beginning);
    return records.flatMap((record) => {
      const request = requestOf(record.change);
      return request === null ? [] : [{ request, record }];
    });
  }

  /** @throws {AppError} 409 when a change that is being applied writes to an issue that the plan writes to. */
  expectFree(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    return expectFree(db, accountId, plan);
  }

  /** The account's changes that are being applied. */
  underWay(db: Db, accountId: string): Promise<store.ChangeRecord[]> {
    return store.listApplying(db, accountId);
  }

  /** The issue that one was closed towards here, when its tracker now names that original by this key. */
  originalOf(accountId: string, issueId: string, key: string): Promise<string | null> {
    return store.originalOf(this.#options.db, accountId, issueId, key);
  }

  /** When each of these changes was applied, and who decided it. */
  decisionsOf(accountId: string, changeIds: readonly string[]) {
    return store.decisionsOf(this.#options.db, accountId, changeIds);
  }

  /** Whether a change is being applied to this tracker. No other one is saved before the transaction ends. */
  async isApplyingTo(db: Db, accountId: string, trackerId: string): Promise<boolean> {
    await store.lockSaving(db, accountId);
    return store.isApplyingTo(db, accountId, trackerId);
  }

  list(accountId: string, filter: store.ChangeFilter, page: { limit: number; skip: number }) {
    return store.listChanges(this.#options.db, accountId, filter, page);
  }

  /** Every change that passes the filter, oldest first. */
  all(accountId: string, filter: store.ChangeFilter): AsyncIterable<store.ChangeRecord> {
    return store.everyChange(this.#options.db, accountId, filter);
  }

  /** The change as soon as it is settled, or as it stands after a while, or when `signal` is aborted. */
  whenSettled(
    accountId: string,
    changeId: string,
    { withinMs = APPLY_WAIT_MS, signal }: { withinMs?: number; signal?: AbortSignal } = {},
  ): Promise<store.ChangeRecord> {
    const read = () => this.get(accountId, changeId);
    return whenSettled(this.#options.events, accountId, changeId, { read, withinMs, signal });
  }
}
