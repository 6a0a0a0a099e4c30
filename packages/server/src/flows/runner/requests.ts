import type { ActionTaken } from '@winnow/contract/flow';
import type { Actor, ChangeRequest, InitialStatus, Ledger } from '../../changes/ledger.ts';
import { actionBy } from '../actions-taken.ts';
import { labelOfRequest, requestName, requestsOf } from '../request-name.ts';
import type { BoundTo } from './performed.ts';

/** What one execution asks the ledger for, call by call, in the name of its flow. */
export class Requests {
  readonly #ledger: Ledger;
  readonly #bound: BoundTo;
  /** The flow in the ledger. */
  readonly actor: Actor;

  constructor(ledger: Ledger, bound: BoundTo) {
    this.#ledger = ledger;
    this.#bound = bound;
    this.actor = { type: 'flow', id: bound.flowId, name: bound.definition.name };
  }

  /** How the ledger is asked by one call of a tool. */
  asked(label: string, request: string, as: InitialStatus): ChangeRequest {
    const { executionId, projectId } = this.#bound;
    return {
      actor: this.actor,
      as,
      within: projectId ?? undefined,
      request: requestName(executionId, request, label),
    };
  }

  /** The change that was saved for a call already; null when none was. */
  async savedFor(label: string, request: string): Promise<string | null> {
    const { accountId, executionId } = this.#bound;
    const name = requestName(executionId, request, label);
    return (await this.#ledger.findRequested(accountId, this.actor, name))?.changeId ?? null;
  }

  /** What the execution has done through the ledger already, before it was interrupted. */
  async doneBefore(): Promise<ActionTaken[]> {
    const { accountId, executionId } = this.#bound;
    const saved = await this.#ledger.listRequested(accountId, this.actor, requestsOf(executionId));
    return saved.map(({ request, record }) => actionBy(labelOfRequest(request), record));
  }
}
