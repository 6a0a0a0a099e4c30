import { type ChangeStatus, isExternalCall, type StepAction } from '@winnow/contract/change';
import { conflict, forbidden, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { ActionHandler } from './action-handler.ts';
import { type Actor, type DecisionOptions, personOf } from './change-request.ts';
import {
  type ChangeWriter,
  type ChangeWriterOptions,
  expectUnchanged,
  isClosing,
  needsSecondPerson,
} from './change-writer.ts';
import { type ChangePlan, undoSteps } from './plan.ts';
import { isUndoOf, plannedStep, planOf } from './saved-plan.ts';
import * as store from './store.ts';
import { expectFree } from './write-conflicts.ts';
import type { WriteTurns } from './write-turns.ts';

export interface ApprovalsOptions extends ChangeWriterOptions {
  writer: ChangeWriter;
  turns: WriteTurns;
  actionHandler: (action: StepAction) => ActionHandler;
}

/**
 * Carries out decisions about saved changes: approves or rejects proposals, undoes applied changes,
 * and retries failed changes.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /**
   * Starts to apply a proposal, after the same checks as `Ledger.save`. Throws 409 if the change is
   * not waiting for approval.
   */
  async approve(
    accountId: string,
    actor: Actor,
    changeId: string,
    { signal }: DecisionOptions,
  ): Promise<void> {
    const { db, checks, kinds, turns, actionHandler, recordDecision, requestApply } = this.#options;
    const record = await this.#requireChange(accountId, changeId);
    expectProposed(record.change);
    expectNotOwnProposal(record.change, actor);
    const plan = planOf(record);
    await kinds.beforeApproval(accountId, plan);
    for (const step of plan.steps.filter(isExternalCall)) {
      await actionHandler(step.action).expectReady(accountId, step);
    }
    await turns.run(accountId, { issueIds: writtenIssues(plan), signal }, async () => {
      // Checks the status first. A decision made while this call waited may have changed the issues
      // in the tracker.
      expectProposed((await this.#requireChange(accountId, changeId)).change);
      await checks.expectAppliable(accountId, plan, signal);
      await db.transaction().execute(async (transaction) => {
        await store.lockChangeWrites(transaction, accountId);
        expectProposed(await store.lockChange(transaction, accountId, changeId));
        await expectUnchanged(transaction, accountId, plan);
        await expectSecondPerson(transaction, record.change, plan, actor);
        await kinds.guard(transaction, accountId, plan, { actor, as: 'applying' });
        await store.decideChange(transaction, accountId, changeId, 'applying', decidedBy(actor));
        await requestApply(transaction, accountId, changeId);
        const { title } = record.change;
        await recordDecision?.(transaction, accountId, { actor, title, decision: 'approved' });
        signal?.throwIfAborted();
      });
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  /** Rejects a proposal. Throws 409 if the change is not waiting for approval. */
  async reject(accountId: string, actor: Actor, changeId: string): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.lockChangeWrites(transaction, accountId);
      const change = await store.lockChange(transaction, accountId, changeId);
      expectProposed(change);
      expectNotOwnProposal(change, actor);
      await store.decideChange(transaction, accountId, changeId, 'rejected', decidedBy(actor));
      const { title } = change;
      await this.#options.recordDecision?.(transaction, accountId, { actor, title, decision: 'rejected' });
    });
    await this.#publish(accountId, changeId, 'rejected');
  }

  /**
   * Undoes an applied change, step by step in reverse order. Returns the id of the change that
   * undoes it. Waits while another change is being applied to one of the same issues.
   *
   * Throws 409 if the change is not applied, is being undone, or called an external tool. Throws
   * 409 if a text that the change wrote was edited since, because such a change cannot be undone
   * completely. Throws 403 if the actor is an agent that proposed the change.
   */
  async undo(accountId: string, actor: Actor, changeId: string, how: DecisionOptions): Promise<string> {
    const { signal } = how;
    const { checks, recordDecision, writer, turns } = this.#options;
    const found = await this.#requireChange(accountId, changeId);
    expectUndoable(found.change);
    if (wasProposed(found.change)) expectNotOwnProposal(found.change, actor);
    const asked = { ...how, actor, as: 'applying' } as const;
    await this.#expectMayWriteAlone(accountId, planUndo(found), { mayBeBulk: true });
    return turns.run(accountId, { issueIds: writtenIssues(planUndo(found)), signal }, async () => {
      // Another undo or a retry may have started while this call waited.
      const record = await this.#requireChange(accountId, changeId);
      expectStillUndoable(record.change);
      const plan = planUndo(record);
      await checks.expectTextsUnchanged(accountId, plan);
      return writer.insert(accountId, asked, plan, changeId, async (transaction) => {
        const now = await store.lockChange(transaction, accountId, changeId);
        if (!now) throw notFound();
        expectStillUndoable(now);
        if ((await store.undoOf(transaction, accountId, changeId)) !== null) throw alreadyUndone();
        await expectFree(transaction, accountId, plan);
        await recordDecision?.(transaction, accountId, { actor, title: now.title, decision: 'undone' });
        signal?.throwIfAborted();
      });
    });
  }

  /**
   * Retries the failed steps of a change, with the same checks as for a new change. Earlier writes
   * of the change itself do not count as conflicts.
   *
   * Throws 409 if no step failed, or if a call of an external tool failed. Throws 409 if the change
   * was undone, or if it is an undo whose original change was retried since. Throws 403 if the
   * actor is an agent that proposed the change.
   */
  async retry(accountId: string, actor: Actor, changeId: string, { signal }: DecisionOptions): Promise<void> {
    const { db, checks, kinds, turns, requestApply } = this.#options;
    const found = await this.#requireChange(accountId, changeId);
    expectRepeatable(found);
    if (wasProposed(found.change)) expectNotOwnProposal(found.change, actor);
    const plan = planOf(found);
    if (!wasProposed(found.change)) await this.#expectMayWriteAlone(accountId, plan, { mayBeBulk: false });
    await turns.run(accountId, { issueIds: writtenIssues(plan), signal }, async () => {
      // Another retry or an undo may have started while this call waited.
      const record = await this.#requireChange(accountId, changeId);
      expectRepeatable(record);
      if (record.undoneBy !== null) throw alreadyUndone();
      if (record.change.undoes === null) await checks.expectUnchangedSinceFailure(accountId, record);
      await db.transaction().execute(async (transaction) => {
        await store.lockChangeWrites(transaction, accountId);
        const change = await store.lockChange(transaction, accountId, changeId);
        if (!change) throw notFound();
        const undoneBy = await store.undoOf(transaction, accountId, change.undoes ?? changeId);
        if (undoneBy !== null && undoneBy !== changeId) throw alreadyUndone();
        expectFailed(change);
        if (change.undoes === null) {
          await kinds.guard(transaction, accountId, plan, { actor, as: 'applying' });
        } else {
          const original = await store.findChange(transaction, accountId, change.undoes);
          if (!original || !isUndoOf(record, original)) throw originalContinued();
        }
        await store.prepareStepsForRetry(transaction, accountId, changeId);
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

  /**
   * Refuses an undo or a retry that the workspace's rule of the second person forbids. An undo may
   * write to several issues, because it restores them.
   */
  async #expectMayWriteAlone(
    accountId: string,
    plan: ChangePlan,
    { mayBeBulk }: { mayBeBulk: boolean },
  ): Promise<void> {
    const closing = { steps: plan.steps.filter(({ action }) => isClosing(action)) };
    if (!(await needsSecondPerson(this.#options.db, accountId, mayBeBulk ? closing : plan))) return;
    throw forbidden('This change needs the approval of another member.', 'second_person_required');
  }

  async #requireChange(accountId: string, changeId: string): Promise<store.ChangeRecord> {
    const record = await store.findChange(this.#options.db, accountId, changeId);
    if (!record) throw notFound();
    return record;
  }

  async #publish(accountId: string, changeId: string, status: ChangeStatus): Promise<void> {
    await this.#options.events.publish(accountId, { type: 'change_updated', change_id: changeId, status });
  }
}

/**
 * Throws if a change cannot be retried.
 * @throws {AppError} `conflict` if no step failed, or if a call of an external tool failed
 */
function expectRepeatable({ change, steps }: store.ChangeRecord): void {
  expectFailed(change);
  const failed = steps.filter((step) => step.status === 'failed');
  if (failed.some(isExternalCall)) throw outsideCallIsFinal('not_repeatable', 'repeated');
}

function expectFailed({ status }: store.ChangeRow): void {
  if (status === 'failed' || status === 'partly_applied') return;
  const isRunning = status === 'applying';
  throw conflict(
    'nothing_failed',
    isRunning ? 'This change is being applied.' : 'No step of this change failed.',
  );
}

/**
 * Creates the 409 error for a change that called an external tool. Only the tool's server knows the
 * effect of the call.
 */
function outsideCallIsFinal(code: string, what: 'undone' | 'repeated') {
  return conflict(code, `A call of an external tool cannot be ${what}: only its server knows what it did.`);
}

function originalContinued() {
  return conflict(
    'went_on',
    'The original change was retried after this undo was requested. Undo the original change again.',
  );
}

/**
 * Throws if an agent decides on its own proposal.
 * @throws {AppError} `forbidden`
 */
function expectNotOwnProposal(change: store.ChangeRow, actor: Actor): void {
  if (actor.type === 'user' || actor.id !== change.actor_id) return;
  throw forbidden(
    'You cannot decide on your own proposal. Ask a person, or use another key.',
    'own_proposal',
  );
}

/**
 * Refuses a user who approves the own proposal, if the workspace requires a second person for it.
 * @throws {AppError} `forbidden`
 */
async function expectSecondPerson(
  db: Db,
  change: store.ChangeRow,
  plan: ChangePlan,
  actor: Actor,
): Promise<void> {
  const person = personOf(actor);
  const isSecond = change.person_id === null ? person !== null : person !== change.person_id;
  if (isSecond || !(await needsSecondPerson(db, change.account_id, plan))) return;
  throw forbidden('This change needs the approval of another member.', 'second_person_required');
}

/**
 * True if the change waited for approval. A change that is started directly is saved and decided at
 * the same moment.
 */
function wasProposed({ created_at, decided_at }: store.ChangeRow): boolean {
  return decided_at === null || decided_at.getTime() !== created_at.getTime();
}

function expectProposed(change: store.ChangeRow | undefined): asserts change is store.ChangeRow {
  if (!change) throw notFound();
  if (change.status !== 'proposed') throw conflict('not_proposed', notProposed(change.status));
}

/** Returns the sentence that explains why a change is not waiting for approval. */
function notProposed(status: Exclude<ChangeStatus, 'proposed'>): string {
  switch (status) {
    case 'applying':
      return 'This change is already being applied.';
    case 'applied':
      return 'This change is already applied.';
    case 'partly_applied':
    case 'failed':
      return 'This change is already approved.';
    case 'rejected':
      return 'This change is already rejected.';
    case 'undone':
      return 'This change is already undone.';
  }
}

function decidedBy({ name, type }: Actor) {
  return { decided_by: name, decided_by_type: type };
}

function expectUndoable({ kind, status }: store.ChangeRow): void {
  if (kind === 'undo' || (status !== 'applied' && status !== 'partly_applied')) {
    throw conflict('not_undoable', 'Only an applied change can be undone.');
  }
}

/** Throws if a change was undone or retried since its undo was requested. */
function expectStillUndoable(change: store.ChangeRow): void {
  if (change.status === 'undone') throw alreadyUndone();
  if (change.status === 'applying') throw conflict('not_undoable', 'This change is being applied again.');
  expectUndoable(change);
}

/**
 * Plans the undo of the applied steps of a change.
 * @throws {AppError} `conflict` if the change is being undone, or called an external tool
 */
function planUndo(record: store.ChangeRecord): ChangePlan {
  if (record.undoneBy !== null) throw alreadyUndone();
  const applied = record.steps.filter((step) => step.status === 'applied');
  if (applied.some(isExternalCall)) throw outsideCallIsFinal('not_undoable', 'undone');
  return {
    ...planOf(record),
    kind: 'undo',
    title: `Undo: ${record.change.title}`,
    rationale: null,
    confidence: null,
    steps: undoSteps(applied.map(plannedStep)),
    payload: {},
  };
}

/** Returns the ids of the issues that the steps of a plan write to. */
function writtenIssues({ issues, steps }: ChangePlan): string[] {
  return issues.map(({ id }) => id).filter((id) => steps.some(({ issueId }) => issueId === id));
}

function alreadyUndone() {
  return conflict('already_undone', 'This change is already undone, or is being undone.');
}
