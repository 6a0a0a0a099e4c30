import { FLOW_LIMITS } from '@winnow/contract/flow';
import {
  CHARACTERS_PER_TOKEN,
  type CostBudget,
  likelyCost,
  type Price,
  type QuestionCost,
} from '../../ai/index.ts';
import { ExecutionFailed } from './execution-failed.ts';

/**
 * Limits of the output tokens per turn. All current models accept `max`; below `min`, output is
 * useless.
 */
const OUTPUT_TOKENS = { max: 4_096, min: 256 } as const;

type Priced = { price: Price | null };
type Keep = (spent: Pick<QuestionCost, 'cost' | 'tokens'>) => Promise<void>;

/**
 * Budget of an execution. It covers the turns of the agent, and the calls of the account's language
 * model that tools cause.
 */
export class Budget implements CostBudget {
  readonly #most: number;
  /**
   * Token limit of the flow. If null, models with a known price have no token limit; other models
   * have the default limit.
   */
  readonly #mostTokens: number | null;
  readonly #keep: Keep;
  #used: number;
  #usedTokens: number;
  #reserved = 0;
  #hasRefused = false;
  #hasEstimated = false;

  /**
   * `most` (US dollars) and `mostTokens` are the limits; null means the default. `keep` stores the
   * usage.
   */
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
    // `dollars` is 0 if the price of the model is unknown. Then its tokens are limited instead.
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
    // A successful call that reports no tokens is charged the reserved amount.
    const isEstimated = spent.cost === null && spent.isAnswered && reserved > 0;
    this.#hasEstimated ||= isEstimated;
    const cost = isEstimated ? reserved : spent.cost;
    this.#used += cost ?? 0;
    this.#usedTokens += (spent.tokens.input ?? 0) + (spent.tokens.output ?? 0);
    await this.#keep({ cost, tokens: spent.tokens });
  }

  /**
   * Adds estimates for a turn of a model that does not report tokens: the tokens and, if the price
   * is known, the cost. Returns true if a cost was added.
   */
  async estimate(
    model: Priced,
    characters: { input: number; output: number },
    tokens: QuestionCost['tokens'],
  ): Promise<boolean> {
    if (tokens.input === null || tokens.output === null) {
      this.#usedTokens += (characters.input + characters.output) / CHARACTERS_PER_TOKEN;
    }
    const outputTokens = characters.output / CHARACTERS_PER_TOKEN;
    const cost = likelyCost(model.price, { characters: characters.input, outputTokens });
    if (cost === 0) return false;
    this.#used += cost;
    await this.#keep({ cost, tokens: { input: null, output: null } });
    return true;
  }

  /**
   * Sentences for the user about questions that were skipped for lack of budget, and about
   * estimated costs.
   */
  get notices(): string[] {
    return [
      ...(this.#hasRefused
        ? [
            `The run’s ${this.#usedTokens >= (this.#tokenLimit(false) ?? Number.POSITIVE_INFINITY) ? 'token limit' : `budget of ${dollars(this.#most)}`} is used up, so the built-in analyst continued without the language model.`,
          ]
        : []),
      ...(this.#hasEstimated
        ? ['The language model does not report its tokens, so its cost is estimated.']
        : []),
    ];
  }

  /**
   * Returns the maximum output tokens for the next turn. `isBounded` is true if the remaining
   * budget lowers this maximum.
   * @throws {ExecutionFailed} if the remaining budget is too small for another call
   */
  outputFor(model: Priced, charactersAsked: number): { tokens: number; isBounded: boolean } {
    const { price } = model;
    if (this.#most === 0) {
      throw new ExecutionFailed('The budget of this run is $0.00, so the language model was not called.');
    }
    const byTokens = this.#outputByTokens(model, charactersAsked);
    if (price === null) return { tokens: byTokens, isBounded: byTokens < OUTPUT_TOKENS.max };
    if (this.#used >= this.#most) {
      throw new ExecutionFailed(
        this.#used > this.#most
          ? this.#overspent()
          : `The run has used up its budget of ${dollars(this.#most)}.`,
      );
    }
    const left = this.#most - this.#used - this.#reserved;
    const asking = likelyCost(price, { characters: charactersAsked, outputTokens: 0 });
    if (asking >= left) {
      throw new ExecutionFailed(
        `The rest of the run’s budget of ${dollars(this.#most)} is not enough to call the model.`,
      );
    }
    const affordable = Math.floor(((left - asking) * 1_000_000) / price.output);
    const tokens = Math.min(byTokens, Math.max(OUTPUT_TOKENS.min, affordable));
    return { tokens, isBounded: tokens < OUTPUT_TOKENS.max };
  }

  /**
   * Returns the maximum output tokens for the next turn that the token limit allows.
   * @throws {ExecutionFailed} if no tokens are left
   */
  #outputByTokens(model: Priced, charactersAsked: number): number {
    const most = this.#tokenLimit(model.price !== null);
    if (most === null) return OUTPUT_TOKENS.max;
    const left = Math.floor(most - this.#usedTokens - charactersAsked / CHARACTERS_PER_TOKEN);
    if (left <= 0) {
      throw new ExecutionFailed(
        `The rest of the run’s limit of ${most.toLocaleString('en')} tokens is not enough to call the model.`,
      );
    }
    return Math.min(OUTPUT_TOKENS.max, Math.max(OUTPUT_TOKENS.min, left));
  }

  /**
   * Returns the token limit: that of the flow, or the default for a model without a known price.
   * Null if tokens are not limited.
   */
  #tokenLimit(isPriced: boolean): number | null {
    return this.#mostTokens ?? (isPriced ? null : FLOW_LIMITS.tokens.usual);
  }

  /**
   * Throws if the execution used more tokens than allowed, or more dollars than allowed by a known
   * price.
   * @throws {ExecutionFailed}
   */
  expectWithinLimits(model: Priced): void {
    const mostTokens = this.#tokenLimit(model.price !== null);
    if (mostTokens !== null && this.#usedTokens > mostTokens) {
      const [used, most] = [Math.round(this.#usedTokens), mostTokens].map((count) =>
        count.toLocaleString('en'),
      );
      throw new ExecutionFailed(`The run used ${used} tokens, more than its limit of ${most}.`);
    }
    if (model.price !== null && this.#used > this.#most) throw new ExecutionFailed(this.#overspent());
  }

  #overspent(): string {
    const over = this.#used - this.#most;
    return `The run cost ${dollars(this.#used)}, which is ${dollars(over)} more than its budget of ${dollars(this.#most)}.`;
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
