import { randomUUID } from 'node:crypto';
import type { BaseHashes, ChangeKind, ChangeStatus } from '@winnow/contract/change';
import type { IssueIntake } from '../issues/intake.ts';
import { findIssues } from '../issues/service.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { Trackers } from '../trackers/service.ts';
import { changedSince } from './changed-since.ts';
import { type ChangePlan, undoSteps } from './plan.ts';
import { isUndoOf, plannedStep, planOf } from './saved-plan.ts';
import * as store from './store.ts';
import { TrackerChecks } from './tracker-checks.ts';
import { whenSettled } from './when-settled.ts';

export type { ChangeRecord } from './store.ts';

/** Who asks for a change. */
export interface Actor {
  type: 'user' | 'api_key' | 'flow';
  id: string;
  name: string;
}

/** What a change is saved as: to be applied at once, or for somebody to approve. */
export type SavedAs = 'applying' | 'proposed';

/** What the feature that plans a kind of change has to say about it. */
export interface KindHandler {
  /** Throws when such a change may not be begun, or proposed, as things stand. Asked twice; the second time nobody else saves one. */
  guard(db: Db, accountId: string, plan: ChangePlan, asked: { actor: Actor; as: SavedAs }): Promise<void>;
  /** Told in the transaction in which a change became applied, or was taken back, where it has something to do then. */
  settled?(db: Db, record: store.ChangeRecord, outcome: 'applied' | 'undone'): Promise<void>;
}

export interface LedgerOptions {
  db: Db;
  trackers: Trackers;
  intake: IssueIntake;
  events: Pick<Events<AccountEvent>, 'publish' | 'subscribe' | 'listening'>;
  /** Queues the durable job that applies a change, in the transaction that saved it. */
  requestApply: (db: Db, accountId: string, changeId: string) => Promise<void>;
}

/** The ledger of changes: every write to a tracker is saved here first, then applied step by step, and can be undone. */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #checks: TrackerChecks;
  readonly #handlers = new Map<ChangeKind, KindHandler>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#checks = new TrackerChecks(options);
  }

  /** Registers the feature that plans changes of this kind. Composition calls it once per kind. */
  handleKind(kind: ChangeKind, handler: KindHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Tells the handler of a settled change's kind; part of applying. */
  async announce(db: Db, record: store.ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    await this.#handlers.get(record.change.kind)?.settled?.(db, record, outcome);
  }

  /**
   * Saves a change and queues its application. Its issues are read again first: when one differs from what was planned
   * on, or from the hashes the caller saw, nothing is saved and 409 `changed_since` says so; what was read is stored.
   * 502 when a tracker cannot be read. The handler of its kind has the last word, in the transaction that saves.
   */
  async submit(
    accountId: string,
    actor: Actor,
    plan: ChangePlan,
    seen: BaseHashes | undefined,
  ): Promise<string> {
    const guard = (db: Db) => this.#guard(db, accountId, plan, { actor, as: 'applying' });
    await this.#expectSeen(accountId, plan, seen);
    await guard(this.#options.db);
    await this.#checks.expectAppliable(accountId, plan);
    return this.#save(accountId, actor, plan, { status: 'applying', undoes: null }, async (transaction) => {
      await this.#expectUnchanged(transaction, accountId, plan);
      await guard(transaction);
    });
  }

  /** Saves a change for somebody to approve; no tracker is asked. 409 as for {@link submit}, by what is stored. */
  async propose(
    accountId: string,
    actor: Actor,
    plan: ChangePlan,
    seen: BaseHashes | undefined,
  ): Promise<string> {
    await this.#expectSeen(accountId, plan, seen);
    const changeId = await this.#save(
      accountId,
      actor,
      plan,
      { status: 'proposed', undoes: null },
      async (transaction) => {
        await this.#expectUnchanged(transaction, accountId, plan);
        await this.#guard(transaction, accountId, plan, { actor, as: 'proposed' });
      },
    );
    await this.#publish(accountId, changeId, 'proposed');
    return changeId;
  }

  /** Begins what was proposed, as {@link submit} begins a change. 409 also when it does not wait for approval. */
  async approve(accountId: string, actor: Actor, changeId: string): Promise<void> {
    const { db, requestApply } = this.#options;
    const record = await this.get(accountId, changeId);
    expectProposed(record.change);
    const plan = planOf(record);
    await this.#checks.expectAppliable(accountId, plan);
    await db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      expectProposed(await store.lockChange(transaction, accountId, changeId));
      await this.#expectUnchanged(transaction, accountId, plan);
      await this.#guard(transaction, accountId, plan, { actor, as: 'applying' });
      await store.decideChange(transaction, accountId, changeId, 'applying', actor.name);
      await requestApply(transaction, accountId, changeId);
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  /** Turns down what was proposed. 409 when it does not wait for approval. */
  async reject(accountId: string, actor: Actor, changeId: string): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      expectProposed(await store.lockChange(transaction, accountId, changeId));
      await store.decideChange(transaction, accountId, changeId, 'rejected', actor.name);
    });
    await this.#publish(accountId, changeId, 'rejected');
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

  /**
   * Takes an applied change back, step by step in reverse. 409 when it is not applied, is being taken back already, or a
   * text that it wrote was edited since: half of it would be taken back then.
   * Answers the id of the change that does it.
   */
  async undo(accountId: string, actor: Actor, changeId: string): Promise<string> {
    const record = await this.get(accountId, changeId);
    const { change, steps } = record;
    if (change.kind === 'undo' || (change.status !== 'applied' && change.status !== 'partly_applied')) {
      throw conflict('not_undoable', 'Only an applied change can be undone.');
    }
    const applied = steps.filter((step) => step.status === 'applied');
    const plan: ChangePlan = {
      ...planOf(record),
      kind: 'undo',
      title: `Undo: ${change.title}`,
      rationale: null,
      confidence: null,
      steps: undoSteps(applied.map(plannedStep)),
      payload: {},
    };
    await this.#checks.expectTextsAsLeft(accountId, plan);
    try {
      const as = { status: 'applying', undoes: changeId } as const;
      return await this.#save(accountId, actor, plan, as, async (transaction) => {
        const now = await store.lockChange(transaction, accountId, changeId);
        if (now?.status !== change.status) throw conflict('not_undoable', 'This change is under way again.');
      });
    } catch (error) {
      throw violates(error, 'change_undone_once') ? alreadyUndone() : error;
    }
  }

  /**
   * Tries the steps that failed once more, held to all that {@link submit} is held to; what the change itself has written
   * is no movement. 409 when none failed, when the change is taken back, and for an undo whose change has gone on since.
   */
  async retry(accountId: string, actor: Actor, changeId: string): Promise<void> {
    const { db, requestApply } = this.#options;
    const record = await this.get(accountId, changeId);
    expectFailed(record.change);
    const plan = planOf(record);
    if (record.change.undoes === null) await this.#checks.expectWhereLeft(accountId, record);
    await db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      const change = await store.lockChange(transaction, accountId, changeId);
      if (!change) throw notFound();
      const undoneBy = await store.undoOf(transaction, accountId, change.undoes ?? changeId);
      if (undoneBy !== null && undoneBy !== changeId) throw alreadyUndone();
      expectFailed(change);
      if (change.undoes === null) {
        await this.#guard(transaction, accountId, plan, { actor, as: 'applying' });
      } else {
        const original = await store.findChange(transaction, accountId, change.undoes);
        if (!original || !isUndoOf(record, original)) throw wentOn();
      }
      await store.reviveSteps(transaction, accountId, changeId);
      await store.setChangeStatus(transaction, accountId, changeId, {
        status: 'applying',
        retried_by: actor.name,
      });
      await requestApply(transaction, accountId, changeId);
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  async get(accountId: string, changeId: string): Promise<store.ChangeRecord> {
    const record = await store.findChange(this.#options.db, accountId, changeId);
    if (!record) throw notFound();
    return record;
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

  /** The change as soon as it is settled, or as it stands after `timeoutMs`. */
  whenSettled(accountId: string, changeId: string, timeoutMs: number): Promise<store.ChangeRecord> {
    return whenSettled(this.#options.events, accountId, changeId, {
      read: () => this.get(accountId, changeId),
      timeoutMs,
    });
  }

  async #save(
    accountId: string,
    actor: Actor,
    plan: ChangePlan,
    { status, undoes }: { status: SavedAs; undoes: string | null },
    guard: (transaction: Db) => Promise<void>,
  ): Promise<string> {
    const changeId = randomUUID();
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      await guard(transaction);
      await store.insertChange(
        transaction,
        {
          account_id: accountId,
          id: changeId,
          kind: plan.kind,
          status,
          title: plan.title,
          rationale: plan.rationale,
          confidence: plan.confidence,
          actor_type: actor.type,
          actor_id: actor.id,
          actor_name: actor.name,
          decided_by: status === 'proposed' ? null : actor.name,
          payload: plan.payload,
          base_hashes: Object.fromEntries(plan.issues.map((issue) => [issue.id, issue.contentHash])),
          undoes,
        },
        plan.issues,
        plan.steps.map((step, position) => ({
          id: randomUUID(),
          position,
          action: step.action,
          target_issue_id: step.issueId,
          target_key: step.key,
          before: step.before,
          after: step.after,
          result: step.memory ?? {},
        })),
      );
      if (status === 'applying') await this.#options.requestApply(transaction, accountId, changeId);
    });
    return changeId;
  }

  async #guard(
    db: Db,
    accountId: string,
    plan: ChangePlan,
    asked: { actor: Actor; as: SavedAs },
  ): Promise<void> {
    const handler = this.#handlers.get(plan.kind);
    if (!handler) throw new Error(`Nobody answers for changes of the kind ${plan.kind}.`);
    await handler.guard(db, accountId, plan, asked);
  }

  async #publish(accountId: string, changeId: string, status: ChangeStatus): Promise<void> {
    await this.#options.events.publish(accountId, { type: 'change_updated', change_id: changeId, status });
  }

  /** What the caller saw is what was planned on. */
  async #expectSeen(accountId: string, plan: ChangePlan, seen: BaseHashes | undefined): Promise<void> {
    const moved = plan.issues.find(({ id, contentHash }) => (seen?.[id] ?? contentHash) !== contentHash);
    if (moved) throw await changedSince(this.#options.db, accountId, moved);
  }

  /** Another change may have been applied while the trackers were read. */
  async #expectUnchanged(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    const ids = plan.issues.map((issue) => issue.id);
    const hashes = new Map(
      (await findIssues(db, accountId, ids)).map((issue) => [issue.id, issue.content_hash]),
    );
    const changed = plan.issues.find((issue) => hashes.get(issue.id) !== issue.contentHash);
    if (changed) throw await changedSince(db, accountId, changed);
  }
}

function expectFailed({ status }: store.ChangeRow): void {
  if (status !== 'failed' && status !== 'partly_applied') {
    throw conflict('nothing_failed', 'No step of this change failed.');
  }
}

function wentOn() {
  return conflict('went_on', 'The change that this takes back has gone on since. Undo it anew.');
}

function expectProposed(change: store.ChangeRow | undefined): void {
  if (!change) throw notFound();
  if (change.status !== 'proposed') {
    throw conflict('not_proposed', 'This change does not wait for approval any more.');
  }
}

function alreadyUndone() {
  return conflict('already_undone', 'This change is undone already, or is being undone.');
}
