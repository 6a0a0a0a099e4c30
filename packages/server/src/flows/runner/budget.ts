import { FLOW_LIMITS } from '@winnow/contract/flow';
import { likelyCost, priceOf } from '../../ai/prices.ts';
import type { Purse, Spent } from '../../ai/spending.ts';
import { ExecutionFailed } from './execution-failed.ts';

/** The most tokens that an agent says in one turn, as every model of the last years takes it, and the fewest that are of use. */
const OUTPUT_TOKENS = { most: 4_096, fewest: 256 } as const;

type Priced = Parameters<typeof priceOf>[0];

/**
 * What an execution may cost, in dollars, and what it has: the turns of its agent, and what the account's language model is
 * asked by the tools that it uses.
 */
export class Budget implements Purse {
  readonly #most: number;
  readonly #keep: (spent: Spent) => Promise<void>;
  #used: number;
  #setAside = 0;
  #hasRefused = false;

  /** `most`: null for the usual budget. `keep` writes down what was spent. */
  constructor({
    most,
    used,
    keep,
  }: {
    most: number | null;
    used: number;
    keep: (spent: Spent) => Promise<void>;
  }) {
    this.#most = most ?? FLOW_LIMITS.budget.usual;
    this.#used = used;
    this.#keep = keep;
  }

  setAside(dollars: number): boolean {
    const taken = this.#used + this.#setAside;
    if (taken >= this.#most || taken + dollars > this.#most) {
      this.#hasRefused = true;
      return false;
    }
    this.#setAside += dollars;
    return true;
  }

  async settle(setAside: number, spent: Spent): Promise<void> {
    this.#setAside -= setAside;
    this.#used += spent.cost ?? 0;
    await this.#keep(spent);
  }

  /** What it has to say of a question that it had no money for; null where there was none. */
  get notice(): string | null {
    if (!this.#hasRefused) return null;
    return `Its budget of ${dollars(this.#most)} is used up, so that the built-in analyst went on without the language model.`;
  }

  /** How many tokens the next turn may say, by what is left. @throws {ExecutionFailed} when that is not enough to ask. */
  outputFor(model: Priced, charactersAsked: number): { tokens: number; isBounded: boolean } {
    const price = priceOf(model);
    if (price === null) return { tokens: OUTPUT_TOKENS.most, isBounded: false };
    if (this.#used >= this.#most) {
      throw new ExecutionFailed(
        this.#used > this.#most ? this.#overspent() : `Its budget of ${dollars(this.#most)} is used up.`,
      );
    }
    const left = this.#most - this.#used - this.#setAside;
    const asking = likelyCost(model, { characters: charactersAsked, outputTokens: 0 });
    if (asking >= left) {
      throw new ExecutionFailed(
        `What is left of its budget of ${dollars(this.#most)} is not enough to ask the model.`,
      );
    }
    const affordable = Math.floor(((left - asking) * 1_000_000) / price.output);
    const tokens = Math.min(OUTPUT_TOKENS.most, Math.max(OUTPUT_TOKENS.fewest, affordable));
    return { tokens, isBounded: tokens < OUTPUT_TOKENS.most };
  }

  /** @throws {ExecutionFailed} when more was spent than there was, and the model's price is known. */
  expectKept(model: Priced): void {
    if (priceOf(model) !== null && this.#used > this.#most) throw new ExecutionFailed(this.#overspent());
  }

  #overspent(): string {
    const over = this.#used - this.#most;
    return `It cost ${dollars(this.#used)}, which is ${dollars(over)} more than its budget of ${dollars(this.#most)}.`;
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
