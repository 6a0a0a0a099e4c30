import { type ChangeStatus, isOutside, type StepAction } from '@winnow/contract/change';
import { conflict, forbidden, notFound } from '../platform/errors.ts';
import type { ActionHandler } from './action-handler.ts';
import type { Actor, AskedHow } from './asked.ts';
import { expectFree } from './being-changed.ts';
import { type ChangePlan, undoSteps } from './plan.ts';
import { isUndoOf, plannedStep, planOf } from './saved-plan.ts';
import { expectUnchanged, type Saving, type SavingOptions } from './saving.ts';
import * as store from './store.ts';
import type { WriteTurns } from './write-turns.ts';

export interface DecidingOptions extends SavingOptions {
  saving: Saving;
  turns: WriteTurns;
  actionHandler: (action: StepAction) => ActionHandler;
}

/** Decides about saved changes: begins what was proposed or turns it down, takes back what was applied, tries again what failed. */
export class Deciding {
  readonly #options: DecidingOptions;

  constructor(options: DecidingOptions) {
    this.#options = options;
  }

  /** Begins what was proposed, as `Ledger.save` begins a change. 409 also when it does not wait for approval. */
  async approve(accountId: string, actor: Actor, changeId: string, { signal }: AskedHow): Promise<void> {
    const { db, checks, kinds, turns, actionHandler, requestApply } = this.#options;
    const record = await this.#find(accountId, changeId);
    expectProposed(record.change);
    expectAnothers(record.change, actor);
    const plan = planOf(record);
    await kinds.beforeApproval(accountId, plan);
    for (const step of plan.steps.filter(isOutside)) {
      await actionHandler(step.action).expectReady(accountId, step);
    }
    await turns.run(accountId, { issueIds: writtenIssues(plan), signal }, async () => {
      await checks.expectAppliable(accountId, plan, signal);
      await db.transaction().execute(async (transaction) => {
        await store.lockSaving(transaction, accountId);
        expectProposed(await store.lockChange(transaction, accountId, changeId));
        await expectUnchanged(transaction, accountId, plan);
        await kinds.guard(transaction, accountId, plan, { actor, as: 'applying' });
        await store.decideChange(transaction, accountId, changeId, 'applying', actor.name);
        await requestApply(transaction, accountId, changeId);
        signal?.throwIfAborted();
      });
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  /** Turns down what was proposed. 409 when it does not wait for approval. */
  async reject(accountId: string, actor: Actor, changeId: string): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      const change = await store.lockChange(transaction, accountId, changeId);
      expectProposed(change);
      expectAnothers(change, actor);
      await store.decideChange(transaction, accountId, changeId, 'rejected', actor.name);
    });
    await this.#publish(accountId, changeId, 'rejected');
  }

  /**
   * Undoes an applied change, step by step in reverse; returns the id of the change that does it. Waits while another change
   * is applied to one of its issues. 409 when the change is not applied, is being undone already, has called an outside tool,
   * or when a text that it wrote was edited since: only half of it could be undone. 403 for a proposal of the actor's own.
   */
  async undo(accountId: string, actor: Actor, changeId: string, { signal }: AskedHow): Promise<string> {
    const { checks, saving, turns } = this.#options;
    const record = await this.#find(accountId, changeId);
    const { change, steps } = record;
    if (change.kind === 'undo' || (change.status !== 'applied' && change.status !== 'partly_applied')) {
      throw conflict('not_undoable', 'Only an applied change can be undone.');
    }
    if (wasProposed(change)) expectAnothers(change, actor);
    if (record.undoneBy !== null) throw alreadyUndone();
    const applied = steps.filter((step) => step.status === 'applied');
    if (applied.some(isOutside)) throw onlyKnownOutside('not_undoable', 'undone');
    const plan: ChangePlan = {
      ...planOf(record),
      kind: 'undo',
      title: `Undo: ${change.title}`,
      rationale: null,
      confidence: null,
      steps: undoSteps(applied.map(plannedStep)),
      payload: {},
    };
    const asked = { actor, as: 'applying' } as const;
    return turns.run(accountId, { issueIds: writtenIssues(plan), signal }, async () => {
      await checks.expectTextsAsLeft(accountId, plan);
      return saving.insert(accountId, asked, plan, changeId, async (transaction) => {
        const now = await store.lockChange(transaction, accountId, changeId);
        if (now?.status !== change.status) throw notUndoableNow(now?.status);
        if ((await store.undoOf(transaction, accountId, changeId)) !== null) throw alreadyUndone();
        await expectFree(transaction, accountId, plan);
        signal?.throwIfAborted();
      });
    });
  }

  /**
   * Tries the steps that failed once more, held to all that a new one is held to; what the change itself has written
   * is no movement. 409 when none failed, when a call of an outside tool did, when the change is taken back, and for an undo
   * whose change has gone on since; 403 for a proposal of the actor's own.
   */
  async retry(accountId: string, actor: Actor, changeId: string, { signal }: AskedHow): Promise<void> {
    const { db, checks, kinds, turns, requestApply } = this.#options;
    const record = await this.#find(accountId, changeId);
    expectFailed(record.change);
    if (wasProposed(record.change)) expectAnothers(record.change, actor);
    const failed = record.steps.filter((step) => step.status === 'failed');
    if (failed.some(isOutside)) throw onlyKnownOutside('not_repeatable', 'repeated');
    const plan = planOf(record);
    await turns.run(accountId, { issueIds: writtenIssues(plan), signal }, async () => {
      if (record.change.undoes === null) await checks.expectWhereLeft(accountId, record);
      await db.transaction().execute(async (transaction) => {
        await store.lockSaving(transaction, accountId);
        const change = await store.lockChange(transaction, accountId, changeId);
        if (!change) throw notFound();
        const undoneBy = await store.undoOf(transaction, accountId, change.undoes ?? changeId);
        if (undoneBy !== null && undoneBy !== changeId) throw alreadyUndone();
        expectFailed(change);
        if (change.undoes === null) {
          await kinds.guard(transaction, accountId, plan, { actor, as: 'applying' });
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
        signal?.throwIfAborted();
      });
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  async #find(accountId: string, changeId: string): Promise<store.ChangeRecord> {
    const record = await store.findChange(this.#options.db, accountId, changeId);
    if (!record) throw notFound();
    return record;
  }

  async #publish(accountId: string, changeId: string, status: ChangeStatus): Promise<void> {
    await this.#options.events.publish(accountId, { type: 'change_updated', change_id: changeId, status });
  }
}

function expectFailed({ status }: store.ChangeRow): void {
  if (status !== 'failed' && status !== 'partly_applied') {
    throw conflict('nothing_failed', 'No step of this change failed.');
  }
}

/** What a tool of somebody else's server did can be told by that server alone. */
function onlyKnownOutside(code: string, what: 'undone' | 'repeated') {
  return conflict(code, `A call of an outside tool cannot be ${what}: only its server knows what it did.`);
}

function wentOn() {
  return conflict('went_on', 'The change that this takes back has gone on since. Undo it anew.');
}

/** An agent does not decide what it has proposed itself. @throws {AppError} 403 */
function expectAnothers(change: store.ChangeRow, actor: Actor): void {
  if (actor.type === 'user' || actor.id !== change.actor_id) return;
  throw forbidden(
    'Who has proposed this cannot decide about it. Let a person or another key do it.',
    'own_proposal',
  );
}

/** Whether it waited for approval: what is begun at once is decided in the moment in which it is saved. */
function wasProposed({ created_at, decided_at }: store.ChangeRow): boolean {
  return decided_at === null || decided_at.getTime() !== created_at.getTime();
}

function expectProposed(change: store.ChangeRow | undefined): asserts change is store.ChangeRow {
  if (!change) throw notFound();
  if (change.status !== 'proposed') {
    throw conflict('not_proposed', 'This change does not wait for approval any more.');
  }
}

/** The change is not what it was when its undo was asked for: it is undone by now, or a retry of it is under way. */
function notUndoableNow(status: ChangeStatus | undefined) {
  return status === 'undone' ? alreadyUndone() : conflict('not_undoable', 'This change is under way again.');
}

/** The ids of the issues that a plan writes to. */
function writtenIssues({ issues, steps }: ChangePlan): string[] {
  return issues.map(({ id }) => id).filter((id) => steps.some(({ issueId }) => issueId === id));
}

function alreadyUndone() {
  return conflict('already_undone', 'This change is undone already, or is being undone.');
}
