import { FLOW_LIMITS } from '@winnow/contract/flow';
import type { CostBudget, QuestionCost } from '../../ai/cost-budget.ts';
import { CHARACTERS_PER_TOKEN, likelyCost, type Price } from '../../ai/prices.ts';
import { ExecutionFailed } from './execution-failed.ts';

/** The most tokens that an agent says in one turn, as every model of the last years takes it, and the fewest that are of use. */
const OUTPUT_TOKENS = { most: 4_096, fewest: 256 } as const;

type Priced = { price: Price | null };
type Keep = (spent: Pick<QuestionCost, 'cost' | 'tokens'>) => Promise<void>;

/**
 * What an execution may cost, in dollars, and what it has: the turns of its agent, and what the account's language model is
 * asked by the tools that it uses.
 */
export class Budget implements CostBudget {
  readonly #most: number;
  /** Null where only dollars bound a model with a price. */
  readonly #mostTokens: number | null;
  readonly #keep: Keep;
  #used: number;
  #usedTokens: number;
  #reserved = 0;
  #hasRefused = false;
  #hasEstimated = false;

  /** `most` and `mostTokens`: null for the usual ones. `keep` stores what was spent. */
  constructor({
    most,
    mostTokens,
    used,
    usedTokens,
    keep,
  }: {
    most: number | null;
    mostTokens: number | null;
    used: number;
    usedTokens: number;
    keep: Keep;
  }) {
    this.#most = most ?? FLOW_LIMITS.budget.usual;
    this.#mostTokens = mostTokens;
    this.#used = used;
    this.#usedTokens = usedTokens;
    this.#keep = keep;
  }

  reserve(dollars: number): boolean {
    const taken = this.#used + this.#reserved;
    // Nothing is reserved for a model without a price: its tokens are bounded instead.
    const mostTokens = this.#tokenLimit(dollars > 0);
    const isOutOfTokens = mostTokens !== null && this.#usedTokens >= mostTokens;
    if (taken >= this.#most || taken + dollars > this.#most || isOutOfTokens) {
      this.#hasRefused = true;
      return false;
    }
    this.#reserved += dollars;
    return true;
  }

  async settle(reserved: number, spent: QuestionCost): Promise<void> {
    this.#reserved -= reserved;
    // A model that has answered and does not tell its tokens is paid what was kept for it.
    const isEstimated = spent.cost === null && spent.isAnswered && reserved > 0;
    this.#hasEstimated ||= isEstimated;
    const cost = isEstimated ? reserved : spent.cost;
    this.#used += cost ?? 0;
    this.#usedTokens += (spent.tokens.input ?? 0) + (spent.tokens.output ?? 0);
    await this.#keep({ cost, tokens: spent.tokens });
  }

  /** Counts a turn of a model that does not tell its tokens, as far as its price is known. Answers whether it is. */
  async estimate(
    model: Priced,
    characters: { asked: number; said: number },
    tokens: QuestionCost['tokens'],
  ): Promise<boolean> {
    if (tokens.input === null || tokens.output === null) {
      this.#usedTokens += (characters.asked + characters.said) / CHARACTERS_PER_TOKEN;
    }
    const outputTokens = characters.said / CHARACTERS_PER_TOKEN;
    const cost = likelyCost(model.price, { characters: characters.asked, outputTokens });
    if (cost === 0) return false;
    this.#used += cost;
    await this.#keep({ cost, tokens: { input: null, output: null } });
    return true;
  }

  /** What it has to say of questions that it had no money for, and of some whose cost is not known for certain. */
  get notices(): string[] {
    return [
      ...(this.#hasRefused
        ? [
            `Its ${this.#usedTokens >= (this.#tokenLimit(false) ?? Number.POSITIVE_INFINITY) ? 'limit of tokens' : `budget of ${dollars(this.#most)}`} is used up, so that the built-in analyst went on without the language model.`,
          ]
        : []),
      ...(this.#hasEstimated
        ? ['The language model does not tell its tokens: what it cost is estimated.']
        : []),
    ];
  }

  /** How many tokens the next turn may say, by what is left. @throws {ExecutionFailed} when that is not enough to ask. */
  outputFor(model: Priced, charactersAsked: number): { tokens: number; isBounded: boolean } {
    const { price } = model;
    if (this.#most === 0) {
      throw new ExecutionFailed('Its budget is $0.00, so its language model was not asked.');
    }
    const byTokens = this.#outputByTokens(model, charactersAsked);
    if (price === null) return { tokens: byTokens, isBounded: byTokens < OUTPUT_TOKENS.most };
    if (this.#used >= this.#most) {
      throw new ExecutionFailed(
        this.#used > this.#most ? this.#overspent() : `Its budget of ${dollars(this.#most)} is used up.`,
      );
    }
    const left = this.#most - this.#used - this.#reserved;
    const asking = likelyCost(price, { characters: charactersAsked, outputTokens: 0 });
    if (asking >= left) {
      throw new ExecutionFailed(
        `What is left of its budget of ${dollars(this.#most)} is not enough to ask the model.`,
      );
    }
    const affordable = Math.floor(((left - asking) * 1_000_000) / price.output);
    const tokens = Math.min(byTokens, Math.max(OUTPUT_TOKENS.fewest, affordable));
    return { tokens, isBounded: tokens < OUTPUT_TOKENS.most };
  }

  /** How many tokens the next turn may say by the limit in tokens. @throws {ExecutionFailed} when none are left to ask. */
  #outputByTokens(model: Priced, charactersAsked: number): number {
    const most = this.#tokenLimit(model.price !== null);
    if (most === null) return OUTPUT_TOKENS.most;
    const left = Math.floor(most - this.#usedTokens - charactersAsked / CHARACTERS_PER_TOKEN);
    if (left <= 0) {
      throw new ExecutionFailed(
        `What is left of its limit of ${most.toLocaleString('en')} tokens is not enough to ask the model.`,
      );
    }
    return Math.min(OUTPUT_TOKENS.most, Math.max(OUTPUT_TOKENS.fewest, left));
  }

  /** The limit in tokens: the flow's own, or the usual one where dollars bound nothing. Null for none. */
  #tokenLimit(isPriced: boolean): number | null {
    return this.#mostTokens ?? (isPriced ? null : FLOW_LIMITS.tokens.usual);
  }

  /** @throws {ExecutionFailed} when more was spent than there was: tokens, or dollars where the price is known. */
  expectKept(model: Priced): void {
    const mostTokens = this.#tokenLimit(model.price !== null);
    if (mostTokens !== null && this.#usedTokens > mostTokens) {
      const [used, most] = [Math.round(this.#usedTokens), mostTokens].map((count) =>
        count.toLocaleString('en'),
      );
      throw new ExecutionFailed(`It used ${used} tokens, more than its limit of ${most}.`);
    }
    if (model.price !== null && this.#used > this.#most) throw new ExecutionFailed(this.#overspent());
  }

  #overspent(): string {
    const over = this.#used - this.#most;
    return `It cost ${dollars(this.#used)}, which is ${dollars(over)} more than its budget of ${dollars(this.#most)}.`;
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
