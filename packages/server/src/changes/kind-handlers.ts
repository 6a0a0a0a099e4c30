import type { ChangeKind } from '@winnow/contract/change';
import type { Db } from '../schema/tables.ts';
import type { ChangeRequest } from './change-request.ts';
import type { ChangePlan } from './plan.ts';
import type { ChangeRecord } from './store.ts';

/** Rules for one kind of change, defined by the feature that plans such changes. */
export interface KindHandler {
  /**
   * Throws if the change must not be applied or proposed. Called twice: before the trackers are
   * read, and again under the account's change lock.
   */
  guard(db: Db, accountId: string, plan: ChangePlan, asked: ChangeRequest): Promise<void>;
  /** Throws if an older proposal currently must not be applied. May take several seconds. */
  beforeApproval?(accountId: string, plan: ChangePlan): Promise<void>;
  /**
   * Called in the transaction in which a change was applied or undone. `undo` is the change that
   * undid it.
   */
  onSettled?(db: Db, record: ChangeRecord, outcome: 'applied' | 'undone', undo?: ChangeRecord): Promise<void>;
  /** Called in the transaction in which some steps of a change were applied and others failed. */
  onPartlyApplied?(db: Db, record: ChangeRecord): Promise<void>;
}

/** Outcomes of a change that its handler is notified of. */
export type SettledOutcome = 'applied' | 'partly_applied' | 'undone';

/** The handlers, by kind of change. */
export class KindHandlers {
  readonly #handlers = new Map<ChangeKind, KindHandler>();

  register(kind: ChangeKind, handler: KindHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Calls {@link KindHandler.guard} of the handler for the plan's kind. */
  async guard(db: Db, accountId: string, plan: ChangePlan, asked: ChangeRequest): Promise<void> {
    const handler = this.#handlers.get(plan.kind);
    if (!handler) throw new Error(`This kind of change is not supported: ${plan.kind}.`);
    await handler.guard(db, accountId, plan, asked);
  }

  /** Calls {@link KindHandler.beforeApproval} of the handler for the plan's kind. */
  async beforeApproval(accountId: string, plan: ChangePlan): Promise<void> {
    await this.#handlers.get(plan.kind)?.beforeApproval?.(accountId, plan);
  }

  /** Reports the outcome of a change to the handler that is registered for its kind. */
  async notifySettled(
    db: Db,
    record: ChangeRecord,
    outcome: SettledOutcome,
    undo?: ChangeRecord,
  ): Promise<void> {
    const handler = this.#handlers.get(record.change.kind);
    if (outcome === 'partly_applied') await handler?.onPartlyApplied?.(db, record);
    else await handler?.onSettled?.(db, record, outcome, undo);
  }
}
