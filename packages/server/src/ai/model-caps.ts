import { HOUR_MS } from '../platform/clock.ts';
import type { Db } from '../schema/tables.ts';
import { ModelError } from './model-error.ts';
import * as store from './model-use-store.ts';

/**
 * Maximum calls per hour that lists of pairs and issues may make to an account's model. Calls for a
 * single item, and calls started by a user, are exempt.
 */
export const LIST_CALLS_PER_HOUR = 20;

export interface ModelCapsOptions {
  db: Db;
  now: () => Date;
  /** Called when a cap refuses a call. */
  onChanged: (accountId: string) => Promise<void>;
}

/** A call that counts towards the caps of its model. */
export interface CountedCall {
  /** Reverts the count of a call that was not made. */
  refund(): Promise<void>;
  /** Replaces the expected cost with the actual cost, in US dollars. */
  settle(cost: number): Promise<void>;
}

type CappedModel = { id: string; name: string; caps: store.MonthlyCaps };

/**
 * Counts calls and cost per model and enforces the monthly caps. The counts are exact across
 * processes.
 */
export class ModelCaps {
  readonly #options: ModelCapsOptions;

  constructor(options: ModelCapsOptions) {
    this.#options = options;
  }

  /**
   * Counts a call before it is made.
   * @throws {ModelError} `capped` if a cap does not allow it
   */
  async take(accountId: string, { id, name, caps }: CappedModel, cost: number): Promise<CountedCall> {
    const { db, now, onChanged } = this.#options;
    const month = monthStart(now());
    if (!(await store.takeMonthlyCall(db, accountId, id, { month, cost, caps }))) {
      await onChanged(accountId);
      throw new ModelError('capped', cappedText(name, caps));
    }
    const adjust = (calls: number, by: number) =>
      store.adjustMonthlyUse(db, accountId, id, { month, calls, cost: by });
    return { refund: () => adjust(-1, -cost), settle: (actual) => adjust(0, actual - cost) };
  }

  /**
   * Takes up to `wanted` calls from the hourly allowance for lists. Returns the number of calls
   * taken.
   */
  async takeForList(accountId: string, modelId: string, wanted: number): Promise<number> {
    const { db, now } = this.#options;
    const hour = new Date(Math.floor(now().getTime() / HOUR_MS) * HOUR_MS);
    return store.takeListCalls(db, accountId, modelId, { hour, wanted, limit: LIST_CALLS_PER_HOUR });
  }
}

/** Returns the beginning of the calendar month (UTC). */
export function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

/** True if a model's usage in this month has reached a cap. */
export function isCapped(caps: store.MonthlyCaps, use: store.ModelUseRow | undefined): boolean {
  const { calls, cost, is_full } = use ?? { calls: 0, cost: 0, is_full: false };
  return is_full || (caps.calls !== null && calls >= caps.calls) || (caps.cost !== null && cost >= caps.cost);
}

function cappedText(name: string, { calls, cost }: store.MonthlyCaps): string {
  const caps = [
    ...(calls === null ? [] : [`${calls} calls`]),
    ...(cost === null ? [] : [`$${cost.toFixed(2)}`]),
  ];
  return `${name} has reached its cap for this month (${caps.join(', ')}). Raise it in Settings, Models.`;
}
