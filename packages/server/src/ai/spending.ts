import { AsyncLocalStorage } from 'node:async_hooks';
import type { TokenCounts } from './prices.ts';

/** What a question to a language model has taken. */
export interface Spent {
  /** US dollars by the provider's list; null where it is not known. */
  cost: number | null;
  /** Null where the model did not say. */
  tokens: TokenCounts;
  /** Whether the model has answered at all. */
  isAnswered: boolean;
}

/** Money for questions to language models that some work has of its own. */
export interface Purse {
  /** Keeps dollars for a question that is about to be asked. False when nothing, or less than that, is left. */
  setAside(dollars: number): boolean;
  /** Counts what a question took, instead of what was kept for it. */
  settle(setAside: number, spent: Spent): Promise<void>;
}

const purses = new AsyncLocalStorage<Purse>();

/** Does `work`; every question to a language model that it leads to, however deep or late, is paid from the purse. */
export function payingFrom<T>(purse: Purse, work: () => T): T {
  return purses.run(purse, work);
}

/** The purse that this work pays from; undefined where nobody has set a bound. */
export function purseOfThisWork(): Purse | undefined {
  return purses.getStore();
}

/** Whether this work may put further questions to language models. */
export function canPay(): boolean {
  return purseOfThisWork()?.setAside(0) ?? true;
}
