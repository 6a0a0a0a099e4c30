import type { ActionTaken } from '@winnow/contract/flow';
import type { Actor, ChangeRequest, InitialStatus, Ledger } from '../../changes/index.ts';
import { actionBy } from '../actions-taken.ts';
import { labelOfRequest, requestName, requestNamePrefix } from '../request-name.ts';
import type { ExecutionContext } from './call-outcome.ts';

/** Requests of one execution to the ledger. Their actor is the flow. */
export class Requests {
  readonly #ledger: Ledger;
  readonly #bound: ExecutionContext;
  /** The flow as actor in the ledger. */
  readonly actor: Actor;

  constructor(ledger: Ledger, bound: ExecutionContext) {
    this.#ledger = ledger;
    this.#bound = bound;
    const { flowId, personId, definition } = bound;
    this.actor = { type: 'flow', id: flowId, name: definition.name, personId };
  }

  /** Builds the change request for one tool call. */
  changeRequestFor(label: string, request: string, as: InitialStatus): ChangeRequest {
    const { executionId, projectId } = this.#bound;
    return {
      actor: this.actor,
      as,
      within: projectId ?? undefined,
      request: requestName(executionId, request, label),
    };
  }

  /** Returns the id of the change that was saved for a call; null if there is none. */
  async findSavedChange(label: string, request: string): Promise<string | null> {
    const { accountId, executionId } = this.#bound;
    const name = requestName(executionId, request, label);
    return (await this.#ledger.findRequested(accountId, this.actor, name))?.changeId ?? null;
  }

  /** Lists the actions of interrupted attempts whose changes are in the ledger. */
  async listEarlierActions(): Promise<ActionTaken[]> {
    const { accountId, executionId } = this.#bound;
    const saved = await this.#ledger.listRequested(accountId, this.actor, requestNamePrefix(executionId));
    return saved.map(({ request, record }) => actionBy(labelOfRequest(request), record));
  }
}
