import type { TokenCounts } from './prices.ts';

/** Cost of a question to a language model. */
export interface QuestionCost {
  /** Cost in US dollars by the provider's price list; null if the price is unknown. */
  cost: number | null;
  /** Token counts of the question. A count is null if the model did not report it. */
  tokens: TokenCounts;
  /** True if the model responded at least once. */
  isAnswered: boolean;
}

/**
 * Budget for the model questions of one task, such as a flow execution. Code that looks up a model
 * passes the budget to charge, or null for no budget.
 */
export interface CostBudget {
  /**
   * Reserves an amount before a question is asked. Returns false if the remaining budget is too
   * small.
   */
  reserve(dollars: number): boolean;
  /** Replaces a reserved amount with the actual cost. */
  settle(reserve: number, spent: QuestionCost): Promise<void>;
}
