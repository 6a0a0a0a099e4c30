import type { TokenCounts } from './prices.ts';

/** Cost of a question to a language model. */
export interface QuestionCost {
  /** Cost in US dollars by the provider's price list; null if unknown. */
  cost: number | null;
  /** Null if the model did not report tokens. */
  tokens: TokenCounts;
  /** True if the model responded at least once. */
  isAnswered: boolean;
}

/**
 * Budget for the model questions of one piece of work, such as a flow execution. Callers that look
 * up a model pass the budget to charge, or null for no budget.
 */
export interface CostBudget {
  /**
   * Reserves an amount before a question is asked. Returns false if too little or nothing is left.
   */
  reserve(dollars: number): boolean;
  /** Replaces a reserved amount by the actual cost. */
  settle(reserve: number, spent: QuestionCost): Promise<void>;
}
