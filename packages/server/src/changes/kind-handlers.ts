import type { ChangeKind } from '@winnow/contract/change';
import type { Db } from '../schema/tables.ts';
import type { Asked } from './asked.ts';
import type { ChangePlan } from './plan.ts';
import type { ChangeRecord } from './store.ts';

/** What the feature that plans a kind of change has to say about it. */
export interface KindHandler {
  /** Throws when such a change may not be begun, or proposed, as things stand. Asked twice; the second time nobody else saves one. */
  guard(db: Db, accountId: string, plan: ChangePlan, asked: Asked): Promise<void>;
  /** Throws when what was proposed a while ago is not to be begun as things stand now. It may take some time. */
  beforeApproval?(accountId: string, plan: ChangePlan): Promise<void>;
  /** Told in the transaction in which a change became applied, or was taken back, where it has something to do then. */
  settled?(db: Db, record: ChangeRecord, outcome: 'applied' | 'undone'): Promise<void>;
}

/** Who answers for which kind of change. */
export class KindHandlers {
  readonly #handlers = new Map<ChangeKind, KindHandler>();

  register(kind: ChangeKind, handler: KindHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** As {@link KindHandler.guard} of the plan's kind. */
  async guard(db: Db, accountId: string, plan: ChangePlan, asked: Asked): Promise<void> {
    const handler = this.#handlers.get(plan.kind);
    if (!handler) throw new Error(`Nobody answers for changes of the kind ${plan.kind}.`);
    await handler.guard(db, accountId, plan, asked);
  }

  /** As {@link KindHandler.beforeApproval} of the plan's kind. */
  async beforeApproval(accountId: string, plan: ChangePlan): Promise<void> {
    await this.#handlers.get(plan.kind)?.beforeApproval?.(accountId, plan);
  }

  /** As {@link KindHandler.settled} of the record's kind. */
  async settled(db: Db, record: ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    await this.#handlers.get(record.change.kind)?.settled?.(db, record, outcome);
  }
}
