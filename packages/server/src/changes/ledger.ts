import type { BaseHashes, ChangeKind, StepAction } from '@winnow/contract/change';
import { type IssueIntake, type IssuePlace, placesOf } from '../issues/index.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { Trackers } from '../trackers/index.ts';
import type { ActionHandler } from './action-handler.ts';
import { Approvals } from './approvals.ts';
import { type Actor, type ChangeRequest, type DecisionOptions, idempotencyKeyOf } from './change-request.ts';
import { ChangeWriter, type RecordDecision, type SaveOptions } from './change-writer.ts';
import type { FreshCopies } from './fresh-copies.ts';
import { type KindHandler, KindHandlers, type SettledOutcome } from './kind-handlers.ts';
import { type ChangePlan, otherIssueOf } from './plan.ts';
import { APPLY_WAIT_MS, whenSettled } from './settlement.ts';
import * as store from './store.ts';
import { TrackerChecks } from './tracker-checks.ts';
import { expectFree } from './write-conflicts.ts';
import { type TurnRequest, WriteTurns } from './write-turns.ts';

export type { Actor, ChangeRequest, InitialStatus } from './change-request.ts';
export type { KindHandler } from './kind-handlers.ts';
export type { ChangeRecord } from './store.ts';

export interface LedgerOptions {
  db: Db;
  trackers: Trackers;
  intake: IssueIntake;
  events: Pick<Events<AccountEvent>, 'publish' | 'subscribe' | 'listening'>;
  /** Enqueues the job that applies a change. Runs in the transaction that saves the change. */
  requestApply: (db: Db, accountId: string, changeId: string) => Promise<void>;
  /** Records a decision about a saved change, in its transaction. */
  recordDecision?: RecordDecision | undefined;
  /**
   * Maximum time in milliseconds that a write waits for earlier writes to the same issues. Default:
   * {@link WRITE_WAIT_MS}.
   */
  writeWaitMs?: number;
  /**
   * Reads issues from their trackers again before an agent writes, if they were stored too long
   * ago.
   */
  freshCopies?: Pick<FreshCopies, 'refresh'>;
}

/** Fields of a request that identify it before its change is planned. */
type RequestInTurn = Pick<ChangeRequest, 'actor' | 'request' | 'requestHash' | 'signal'> &
  Partial<Pick<ChangeRequest, 'as'>>;

/** A write whose plan is created after earlier writes to the same issues have ended. */
export interface WriteRequest {
  issueIds: readonly string[];
  /** Creates the plan. Called when earlier writes to the same issues have ended. */
  plan: () => Promise<ChangePlan>;
  /** Content hashes of the issues as the caller last read them. */
  seen?: BaseHashes | undefined;
}

/**
 * Ledger of changes. Every write to a tracker is saved here first, then applied step by step.
 * Applied changes can be undone.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #kinds = new KindHandlers();
  readonly #actions = new Map<StepAction, ActionHandler>();
  readonly #writer: ChangeWriter;
  readonly #approvals: Approvals;
  readonly #turns: WriteTurns;

  constructor(options: LedgerOptions) {
    const { db, events, recordDecision, requestApply } = options;
    const shared = {
      db,
      events,
      recordDecision,
      requestApply,
      checks: new TrackerChecks(options),
      kinds: this.#kinds,
    };
    this.#options = options;
    this.#writer = new ChangeWriter(shared);
    this.#turns = new WriteTurns({
      db,
      whenSettled: (accountId, changeId, until) => this.whenSettled(accountId, changeId, until),
      waitMs: options.writeWaitMs,
    });
    this.#approvals = new Approvals({
      ...shared,
      writer: this.#writer,
      turns: this.#turns,
      actionHandler: (action) => this.actionHandler(action),
    });
  }

  /** Registers the handler for a kind of change. The composition root calls it once per kind. */
  handleKind(kind: ChangeKind, handler: KindHandler): void {
    this.#kinds.register(kind, handler);
  }

  /**
   * Registers the handler of an action that no tracker performs. The composition root calls it once
   * per action.
   */
  handleAction(action: StepAction, handler: ActionHandler): void {
    this.#actions.set(action, handler);
  }

  /** Returns the handler of an action that no tracker performs. For the applier only. */
  actionHandler(action: StepAction): ActionHandler {
    const handler = this.#actions.get(action);
    if (!handler) throw new Error(`No handler is registered for the action ${action}.`);
    return handler;
  }

  /** Reports a settled change to the handler for its kind. Called only by the applier. */
  async notifyHandler(
    db: Db,
    record: store.ChangeRecord,
    outcome: SettledOutcome,
    undo?: store.ChangeRecord,
  ): Promise<void> {
    await this.#kinds.notifySettled(db, record, outcome, undo);
  }

  /**
   * Saves a change with the requested status and returns its id. The handler for its kind can
   * refuse the change in the same transaction.
   *
   * For a change that is applied directly, reads its issues from the trackers and enqueues the job
   * that applies it. If an issue differs from the plan or from what the caller has read, stores its
   * new state and throws 409 `changed_since`. Throws 502 if a tracker cannot be read in time.
   *
   * A proposal is only compared with the stored issues.
   */
  save(
    accountId: string,
    asked: ChangeRequest,
    plan: ChangePlan,
    options: SaveOptions = {},
  ): Promise<string> {
    return this.#writer.save(accountId, asked, plan, options);
  }

  /**
   * Runs `save` when no earlier write to these issues is in progress. `save` plans a change and
   * calls {@link save}. For agents, issues stored more than a minute ago are first read from their
   * trackers again.
   *
   * Returns the result of `save`: the id of the change, or null if there is nothing to write. For a
   * repeated request, returns the change saved for the first request, and retries it if it failed.
   *
   * @throws {AppError} `conflict` with `Retry-After` if the wait takes too long; `conflict` (code
   * `idempotency_key_used`) if another request used the same key
   * @throws the signal's abort reason if `request.signal` is aborted
   */
  async runInTurn<Saved extends string | null>(
    accountId: string,
    request: RequestInTurn,
    wanted: Omit<TurnRequest, 'signal'> & {
      /** Ids of the issues to read again for agents. Default: all `issueIds`. */
      freshIds?: readonly string[];
    },
    save: () => Promise<Saved>,
  ): Promise<Saved | string> {
    const { actor, signal } = request;
    const earlier = await this.#findSaved(accountId, request);
    if (earlier !== null) return earlier;
    try {
      return await this.#turns.run(accountId, { ...wanted, signal }, async () => {
        const meanwhile = await this.#findSaved(accountId, request);
        if (meanwhile !== null) return meanwhile;
        if (actor.type !== 'user') {
          await this.refreshStale(accountId, wanted.freshIds ?? wanted.issueIds, signal);
        }
        return save();
      });
    } catch (error) {
      const first = violates(error, 'change_named_once') ? await this.#findSaved(accountId, request) : null;
      if (first === null) throw error;
      return first;
    }
  }

  /** Reads these issues from their trackers again if they were stored more than a minute ago. */
  async refreshStale(accountId: string, issueIds: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.#options.freshCopies?.refresh(accountId, issueIds, signal);
  }

  /**
   * Returns the change that was saved for this request; null if there is none. If the change has
   * failed, retries it first.
   */
  async #findSaved(
    accountId: string,
    { actor, as, request, requestHash, signal }: RequestInTurn,
  ): Promise<string | null> {
    const saved = request === undefined ? null : await this.findRequested(accountId, actor, request);
    if (saved === null || requestHash === undefined) return saved?.changeId ?? null;
    if (saved.requestHash !== requestHash) throw keyUsed();
    const { change } = await this.get(accountId, saved.changeId);
    if (change.status === 'failed' && as === 'applying') {
      await this.retry(accountId, actor, change.id, { signal }).catch((error: unknown) => {
        // This error means that another call retried the change first.
        if (!(error instanceof AppError && error.code === 'nothing_failed')) throw error;
      });
    }
    return change.id;
  }

  /**
   * Plans and saves a change with {@link runInTurn}. Returns the change when it is settled, or in
   * its current state after the maximum wait. Returns a proposal immediately.
   */
  async carryOut(
    accountId: string,
    asked: ChangeRequest,
    { issueIds, plan, seen }: WriteRequest,
  ): Promise<store.ChangeRecord> {
    const save = async () => this.save(accountId, asked, await plan(), { seen });
    return this.whenSettled(accountId, await this.runInTurn(accountId, asked, { issueIds }, save));
  }

  /**
   * Starts to apply a proposal, after the same checks as {@link save}. Throws 409 if the change is
   * not waiting for approval.
   */
  approve(accountId: string, actor: Actor, changeId: string, how: DecisionOptions = {}): Promise<void> {
    return this.#approvals.approve(accountId, actor, changeId, how);
  }

  /** Rejects a proposal. Throws 409 if the change is not waiting for approval. */
  reject(accountId: string, actor: Actor, changeId: string): Promise<void> {
    return this.#approvals.reject(accountId, actor, changeId);
  }

  /**
   * Undoes an applied change (see {@link Approvals.undo}). Returns the id of the change that undoes
   * it.
   */
  async undo(accountId: string, actor: Actor, changeId: string, how: DecisionOptions = {}): Promise<string> {
    const saved = await this.#findSaved(accountId, { ...how, actor, as: 'applying' });
    return saved ?? this.#approvals.undo(accountId, actor, changeId, how);
  }

  /** Retries the failed steps of a change (see {@link Approvals.retry}). */
  retry(accountId: string, actor: Actor, changeId: string, how: DecisionOptions = {}): Promise<void> {
    return this.#approvals.retry(accountId, actor, changeId, how);
  }

  /** Lists the proposals of one kind that each concern all of these issues. */
  listProposals(db: Db, accountId: string, kind: ChangeKind, issueIds: readonly string[]) {
    return store.listProposals(db, accountId, kind, issueIds);
  }

  /** True if a change of this kind with these payload values was undone. */
  wasUndone(db: Db, accountId: string, kind: ChangeKind, payload: Record<string, string>): Promise<boolean> {
    return store.wasUndone(db, accountId, kind, payload);
  }

  /** True if a change of this kind wrote to at least two of these issues and its undo has begun. */
  wasUndoneTogether(
    db: Db,
    accountId: string,
    kind: ChangeKind,
    issueIds: readonly string[],
  ): Promise<boolean> {
    return store.wasUndoneTogether(db, accountId, kind, issueIds);
  }

  /**
   * Locks the account's proposals and writes until the transaction ends. Call it before {@link
   * rejectSuperseded}, unless the ledger started the transaction.
   */
  lockProposals(db: Db, accountId: string): Promise<void> {
    return store.lockChangeWrites(db, accountId);
  }

  /**
   * Rejects proposals that a decision has made obsolete. Runs in the transaction of that decision.
   */
  async rejectSuperseded(
    db: Db,
    accountId: string,
    changeIds: readonly string[],
    decidedBy: Pick<store.ChangeRow, 'decided_by' | 'decided_by_type'>,
  ): Promise<void> {
    for (const changeId of changeIds) {
      await store.decideChange(db, accountId, changeId, 'rejected', decidedBy);
    }
  }

  async get(accountId: string, changeId: string): Promise<store.ChangeRecord> {
    const record = await store.findChange(this.#options.db, accountId, changeId);
    if (!record) throw notFound();
    return record;
  }

  /**
   * Returns the ids of all issues that these changes mention or write to, and of all projects in
   * which they create issues.
   */
  idsWrittenTo(accountId: string, changeIds: readonly string[]): Promise<string[]> {
    return store.idsWrittenTo(this.#options.db, accountId, changeIds);
  }

  /**
   * Returns tracker and project of each issue of a plan, by issue id. An issue that is yet to be
   * created is listed by its project id.
   */
  placesOf(accountId: string, { issues, steps }: ChangePlan): Promise<Map<string, IssuePlace>> {
    const named = steps.flatMap(({ issueId, memory = {} }) => [
      memory.project_id ?? issueId,
      otherIssueOf(memory) ?? issueId,
    ]);
    return placesOf(this.#options.db, accountId, [...issues.map(({ id }) => id), ...named]);
  }

  /** Finds the change that the actor requested with an idempotency key; null if there is none. */
  findRequested(
    accountId: string,
    actor: Pick<Actor, 'id'>,
    request: string,
  ): Promise<store.RequestedChange | null> {
    return store.findRequested(this.#options.db, accountId, actor.id, request);
  }

  /**
   * Lists the changes that the actor requested with idempotency keys of a given prefix, oldest
   * first.
   */
  async listRequested(
    accountId: string,
    actor: Pick<Actor, 'id'>,
    beginning: string,
  ): Promise<{ request: string; record: store.ChangeRecord }[]> {
    const records = await store.listRequested(this.#options.db, accountId, actor.id, beginning);
    return records.flatMap((record) => {
      const request = idempotencyKeyOf(record.change);
      return request === null ? [] : [{ request, record }];
    });
  }

  /**
   * Throws if one of the plan's issues is being written to by another change.
   * @throws {AppError} `conflict`
   */
  expectFree(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    return expectFree(db, accountId, plan);
  }

  /** Lists the changes of the account that are being applied. */
  listApplying(db: Db, accountId: string): Promise<store.ChangeRecord[]> {
    return store.listApplying(db, accountId);
  }

  /**
   * Returns the id of the original of an issue that Winnow closed as a duplicate. Null if Winnow
   * did not close the issue, or if the original has another key.
   */
  originalOf(accountId: string, issueId: string, key: string): Promise<string | null> {
    return store.originalOf(this.#options.db, accountId, issueId, key);
  }

  /** Returns the time at which each change was applied, and who decided it. */
  decisionsOf(accountId: string, changeIds: readonly string[]) {
    return store.decisionsOf(this.#options.db, accountId, changeIds);
  }

  /**
   * True if a change that concerns this tracker is being applied. Prevents new changes of the
   * account until the transaction ends.
   */
  async isApplyingTo(db: Db, accountId: string, trackerId: string): Promise<boolean> {
    await store.lockChangeWrites(db, accountId);
    return store.isApplyingTo(db, accountId, trackerId);
  }

  list(accountId: string, filter: store.ChangeFilter, page: { limit: number; skip: number }) {
    return store.listChanges(this.#options.db, accountId, filter, page);
  }

  /** Streams all changes that match the filter, oldest first. */
  streamAll(accountId: string, filter: store.ChangeFilter): AsyncIterable<store.ChangeRecord> {
    return store.streamChanges(this.#options.db, accountId, filter);
  }

  /**
   * Returns the change when it is settled. After `withinMs`, or when `signal` is aborted, returns
   * its current state.
   */
  whenSettled(
    accountId: string,
    changeId: string,
    { withinMs = APPLY_WAIT_MS, signal }: { withinMs?: number; signal?: AbortSignal } = {},
  ): Promise<store.ChangeRecord> {
    const read = () => this.get(accountId, changeId);
    return whenSettled(this.#options.events, accountId, changeId, { read, withinMs, signal });
  }
}

/**
 * Creates the error for an idempotency key that the caller already used for a different request.
 */
function keyUsed(): AppError {
  return conflict(
    'idempotency_key_used',
    'This idempotency key was used for another request. Use a new key for a new request.',
  );
}
