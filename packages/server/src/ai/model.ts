import type { AiFeature } from '@winnow/contract/usage';
import { isPlanLimit, type TakenUnit } from '../billing/index.ts';
import { createLimiter } from '../platform/limiter.ts';
import type { Log } from '../platform/log.ts';
import type { AgentTurn, AgentTurnRequest } from './agent-turn.ts';
import type { AiCall } from './call-store.ts';
import type { Conversation } from './conversation.ts';
import type { CostBudget } from './cost-budget.ts';
import { createFence } from './fence.ts';
import { ModelBreaker } from './model-breaker.ts';
import type { CountedCall, ModelCaps } from './model-caps.ts';
import { ModelError } from './model-error.ts';
import type { ModelHealth } from './model-health.ts';
import type { MonthlyCaps } from './model-use-store.ts';
import { costOf, likelyCost, type Price } from './prices.ts';
import { type Prompt, promptName } from './prompts/prompt.ts';
import type { ModelAddress } from './providers.ts';
import { TimeLimit } from './time-limit.ts';

/** Time limit of a question, including retries. It starts when the question leaves the queue. */
const ANSWER_TIMEOUT_MS = 30_000;
/**
 * Time limit of an agent's turn. Higher than that of a question, because no user waits for it and
 * its answer can be long.
 */
const TURN_TIMEOUT_MS = 120_000;
/**
 * Maximum concurrent questions per account in one process. Connection tests have a separate queue
 * of the same size, so a user does not wait for background work. Agent turns are not queued: the
 * number of execution workers limits them.
 */
const CALLS_PER_ACCOUNT = 4;
/** Time for which a model that rejected the full form is asked in the plain form only. */
const PLAIN_FORM_MS = 3_600_000;
/** Typical length of an answer. It determines the cost reserved before a question is asked. */
const EXPECTED_OUTPUT_TOKENS = 1_000;

/** Limits of the HTTP calls to models. */
export const MODEL_CALL_LIMITS = {
  headersTimeoutMs: TURN_TIMEOUT_MS,
  bodyTimeoutMs: TURN_TIMEOUT_MS,
  maxResponseBytes: 2 * 1024 * 1024,
};

/** A language model with everything needed to call it. */
export interface ModelConnection extends ModelAddress {
  /** Id of the stored model; null for a connection test. */
  id: string | null;
  name: string;
  /** True if the operator's configuration defines the connection. */
  isOffered: boolean;
  /** Price of the model's tokens; null if unknown. */
  price: Price | null;
  caps: MonthlyCaps;
  /** Budget to charge for questions; null if only the model's monthly caps apply. */
  budget: CostBudget | null;
}

/** A stored model of an account. */
export type StoredModel = ModelConnection & { id: string };

export interface LanguageModelsOptions {
  /** Sends HTTP requests to providers. Limits which addresses can be reached. */
  fetch: typeof fetch;
  /** Sends HTTP requests to models that the operator offers. These may be in a private network. */
  fetchOffered: typeof fetch;
  /**
   * Charges one call to an account's plan.
   * @throws {AppError} `rate_limited` (code `plan_limit`) if the plan has no calls left
   */
  takeCall: (accountId: string) => Promise<TakenUnit>;
  /** Refuses calls to paused models and records outcomes. */
  health: Pick<ModelHealth, 'expectRunning' | 'noteSuccess' | 'noteFailure'>;
  /** Enforces the monthly caps of models. */
  caps: Pick<ModelCaps, 'take'>;
  /** Stores a finished call. */
  record: (call: AiCall) => Promise<void>;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  answerTimeoutMs?: number;
}

/** Context of a question: account, model, feature and prompt. */
interface QuestionContext {
  accountId: string;
  model: ModelConnection;
  feature: AiFeature;
  /** Name and version of the prompt. */
  prompt: string;
  /** Expected cost in US dollars; 0 if the price is unknown. */
  likelyCost: number;
  /** True if the caller has already checked the budget. Then the question reserves no cost. */
  isBudgetChecked: boolean;
}

/**
 * Port to language models. Asks a question and returns the parsed answer, or runs one turn of an
 * agent.
 */
export class LanguageModels {
  readonly #options: LanguageModelsOptions;
  readonly #limiter = createLimiter({ concurrency: CALLS_PER_ACCOUNT });
  /**
   * Models that accept only the plain form, by {@link modelKey}. The value is the time at which the
   * full form may be tried again.
   */
  readonly #plainUntilMs = new Map<string, number>();
  readonly #breaker: ModelBreaker;
  readonly #stop = new AbortController();

  constructor(options: LanguageModelsOptions) {
    this.#options = options;
    this.#breaker = new ModelBreaker(options.now);
  }

  /**
   * Asks the model and returns the answer parsed by the prompt's schema. Records every call,
   * whether it succeeds or not. Connection tests do not wait for the account's other questions.
   *
   * Retries at most twice while the model is busy. Asks once more if the answer does not match the
   * schema.
   *
   * @throws {ModelError} if there is no valid answer within 30 seconds. Throws immediately during
   * the model's cooldown, if the plan allows no more calls, and after {@link close}.
   * @throws the signal's abort reason if `signal` is aborted
   */
  async ask<Input, Answer>(
    accountId: string,
    model: ModelConnection,
    feature: AiFeature,
    prompt: Prompt<Input, Answer>,
    input: Input,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const fence = createFence();
    const characters = prompt.system(fence).length + prompt.render(input, fence).length;
    const context = {
      accountId,
      model,
      feature,
      prompt: promptName(prompt),
      likelyCost: likelyCost(model.price, { characters, outputTokens: EXPECTED_OUTPUT_TOKENS }),
      isBudgetChecked: false,
    };
    return this.#runInQueue(context, ANSWER_TIMEOUT_MS, signal, (conversation) =>
      conversation.ask(prompt, input),
    );
  }

  /**
   * Runs one turn of an agent. Returns its text and the tool calls that it requests. `prompt` is
   * the name and version of the agent's instructions. The turn is recorded like a question.
   *
   * @throws {ModelError} as {@link ask} does, but after two minutes
   * @throws the signal's abort reason if `signal` is aborted
   */
  async takeTurn(
    accountId: string,
    model: ModelConnection,
    feature: AiFeature,
    prompt: string,
    request: AgentTurnRequest,
    signal?: AbortSignal,
  ): Promise<AgentTurn> {
    const characters = JSON.stringify([request.system, request.messages, request.tools]).length;
    const context = {
      accountId,
      model,
      feature,
      prompt,
      likelyCost: likelyCost(model.price, { characters, outputTokens: EXPECTED_OUTPUT_TOKENS }),
      isBudgetChecked: true,
    };
    const turn = await this.#runInQueue(context, TURN_TIMEOUT_MS, signal, (conversation) =>
      conversation.takeTurn(request),
    );
    return { ...turn, cost: costOf(model.price, turn.tokens) };
  }

  /** True after {@link close} was called. */
  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Aborts all questions and refuses new ones. */
  close(): void {
    this.#stop.abort(new ModelError('unavailable', 'Winnow is stopping.'));
  }

  /** Runs a conversation when its account has a free slot. The time limit starts at that moment. */
  async #runInQueue<T>(
    context: QuestionContext,
    withinMs: number,
    signal: AbortSignal | undefined,
    converse: (conversation: Conversation) => Promise<T>,
  ): Promise<T> {
    const { accountId, feature, model } = context;
    const { signal: stopped } = this.#stop;
    const aborted = signal ? AbortSignal.any([signal, stopped]) : stopped;
    const work = async () => {
      const limit = new TimeLimit(this.#options.answerTimeoutMs ?? withinMs, aborted);
      try {
        return await this.#converse(context, limit, converse);
      } catch (error) {
        throw limit.explain(error, model.name);
      }
    };
    if (feature === 'flow') {
      aborted.throwIfAborted();
      return work();
    }
    return this.#limiter.run(feature === 'test' ? `${accountId} test` : accountId, work, { signal: aborted });
  }

  async #converse<T>(
    { accountId, model, feature, prompt, likelyCost: expectedCost, isBudgetChecked }: QuestionContext,
    limit: TimeLimit,
    converse: (conversation: Conversation) => Promise<T>,
  ): Promise<T> {
    const { fetch, fetchOffered, now } = this.#options;
    const counted: CountedCall[] = [];
    // Imported on first use, because the libraries take 36 MB of memory. Installations without a
    // model never load them.
    const { Conversation } = await import('./conversation.ts');
    const { budget } = model;
    const reserved = isBudgetChecked ? 0 : expectedCost;
    // Start time of the call, before any wait. Model health uses it to count concurrent failures as
    // one.
    const at = now();
    const pass = model.id === null ? null : this.#breaker.enter(model.id);
    if (model.id !== null) {
      await this.#options.health
        .expectRunning(accountId, { id: model.id, name: model.name })
        .catch((error) => {
          pass?.abandoned();
          throw error;
        });
    }
    if (!isBudgetChecked && budget?.reserve(reserved) === false) {
      pass?.abandoned();
      throw new ModelError('over_budget', `The remaining budget is not enough to ask ${model.name}.`);
    }
    const startMs = performance.now();
    const conversation = new Conversation({
      model,
      fetch: model.isOffered ? fetchOffered : fetch,
      limit,
      now,
      isPlain: (this.#plainUntilMs.get(modelKey(accountId, model)) ?? 0) > at.getTime(),
      onPlain: () => this.#usePlainForm(accountId, model),
      takeCall: async () => {
        const { call, refund } = await this.#takeCall(accountId, model, expectedCost);
        if (call) counted.push(call);
        return {
          refund: async () => {
            if (call) counted.splice(counted.indexOf(call), 1);
            await refund();
          },
        };
      },
    });
    const recordAs = (outcome: AiCall['outcome']) => {
      const { answers, ...tokens } = conversation.totals;
      const durationMs = performance.now() - startMs;
      return this.#record({
        accountId,
        feature,
        model,
        prompt,
        answers,
        tokens,
        durationMs,
        outcome,
        at,
      });
    };
    try {
      const answer = await converse(conversation);
      pass?.succeeded();
      if (model.id !== null) await this.#noteSuccess(accountId, model.id);
      await recordAs('answered');
      return answer;
    } catch (error) {
      // The plan refused the call before it was sent, so no failure of the model is recorded.
      if (!(error instanceof ModelError) || error.kind === 'plan_limit') {
        pass?.abandoned();
        throw error;
      }
      // A cap that refuses a call, or a close that aborts it, says nothing about the model. The
      // breaker therefore counts no failure.
      if (this.isClosed || error.kind === 'capped') pass?.abandoned();
      else pass?.failed(error);
      await this.#noteFailure(accountId, model, error, at);
      if (error.kind !== 'capped' || conversation.totals.answers > 0) await recordAs(error.kind);
      throw error;
    } finally {
      const { answers, ...tokens } = conversation.totals;
      const cost = costOf(model.price, tokens);
      await settleCalls(counted, answers, cost);
      await budget?.settle(reserved, { cost, tokens, isAnswered: answers > 0 });
    }
  }

  #usePlainForm(accountId: string, model: ModelConnection): void {
    const nowMs = this.#options.now().getTime();
    for (const [key, untilMs] of this.#plainUntilMs) if (untilMs <= nowMs) this.#plainUntilMs.delete(key);
    this.#plainUntilMs.set(modelKey(accountId, model), nowMs + PLAIN_FORM_MS);
  }

  /**
   * Counts a call against the model's caps and the account's plan. Connection tests have no caps.
   */
  async #takeCall(
    accountId: string,
    { id, name, caps }: ModelConnection,
    expectedCost: number,
  ): Promise<{ call: CountedCall | null } & TakenUnit> {
    const call =
      id === null ? null : await this.#options.caps.take(accountId, { id, name, caps }, expectedCost);
    try {
      const taken = await this.#options.takeCall(accountId);
      return {
        call,
        refund: async () => {
          await call?.refund();
          await taken.refund();
        },
      };
    } catch (error) {
      await call?.refund();
      throw isPlanLimit(error) ? ModelError.fromPlanLimit(error) : error;
    }
  }

  /** Records a success. An error while recording is only logged, so that the answer is not lost. */
  async #noteSuccess(accountId: string, modelId: string): Promise<void> {
    const { health, log } = this.#options;
    try {
      await health.noteSuccess(accountId, modelId);
    } catch (error) {
      log.warn({ error }, 'The health of a language model could not be recorded.');
    }
  }

  /**
   * Records a failure, unless the program is stopping. The caller throws the failure to its own
   * caller.
   */
  async #noteFailure(
    accountId: string,
    { id }: ModelConnection,
    failure: ModelError,
    startedAt: Date,
  ): Promise<void> {
    const { health, log } = this.#options;
    if (id === null || this.isClosed) return;
    try {
      await health.noteFailure(accountId, id, failure, startedAt);
    } catch (error) {
      log.warn({ error }, 'The health of a language model could not be recorded.');
    }
  }

  /** Stores the call. An error while storing is only logged, so that the answer is not lost. */
  async #record(call: AiCall): Promise<void> {
    const { record, log } = this.#options;
    try {
      await record(call);
    } catch (error) {
      log.warn({ error }, 'A call to a language model could not be recorded.');
    }
  }

  /**
   * Ends a model's cooldown after a change of its settings or on a user's request. Does nothing if
   * the model has failed since the request.
   */
  wake(modelId: string, requestedAt?: Date): void {
    this.#breaker.wake(modelId, requestedAt);
  }

  /**
   * Returns the milliseconds until a failed model may be asked again; 0 if questions are allowed
   * now.
   */
  waitMs(modelId: string): number {
    return this.#breaker.waitMs(modelId);
  }
}

/** Replaces the expected cost of calls with their actual cost, if the actual cost is known. */
async function settleCalls(
  calls: readonly CountedCall[],
  answers: number,
  cost: number | null,
): Promise<void> {
  if (cost === null || answers === 0) return;
  for (const call of calls.slice(0, answers)) await call.settle(cost / answers);
}

/**
 * Returns a key that identifies a model within one account. The account is part of it, because a
 * rejection in one account must not affect others.
 */
function modelKey(accountId: string, { apiUrl, identifier }: ModelConnection): string {
  return `${accountId} ${apiUrl} ${identifier}`;
}
