import { AsyncLocalStorage } from 'node:async_hooks';
import type { TokenCounts } from './prices.ts';

/** Cost of a question to a language model. */
export interface QuestionCost {
  /** US dollars by the provider's price list; null if unknown. */
  cost: number | null;
  /** Null if the model did not report tokens. */
  tokens: TokenCounts;
  /** True if the model responded at least once. */
  isAnswered: boolean;
}

/** Budget for the model questions of one piece of work, such as a flow execution. */
export interface CostBudget {
  /**
   * Reserves an amount before a question is asked. Returns false if too little or nothing is left.
   */
  reserve(dollars: number): boolean;
  /** Replaces a reserved amount by the actual cost. */
  settle(reserve: number, spent: QuestionCost): Promise<void>;
}

const budgets = new AsyncLocalStorage<CostBudget>();

/**
 * Runs `work` with a budget. It pays for every model question that `work` causes, however deep or
 * late.
 */
export function runWithBudget<T>(budget: CostBudget, work: () => T): T {
  return budgets.run(budget, work);
}

/** Returns the budget of the current work; undefined if there is no limit. */
export function currentBudget(): CostBudget | undefined {
  return budgets.getStore();
}

/** True if the current work may ask language models. */
export function hasBudgetLeft(): boolean {
  return currentBudget()?.reserve(0) ?? true;
}
