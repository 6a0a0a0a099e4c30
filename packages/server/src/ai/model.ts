import type { AiFeature } from '@winnow/contract/usage';
import type { Taken } from '../billing/amounts/amounts.ts';
import { isPlanLimit } from '../billing/plans/refusals.ts';
import { createLimiter } from '../platform/limiter.ts';
import type { Log } from '../platform/log.ts';
import type { AgentTurn, AgentTurnRequest } from './agent-turn.ts';
import type { AiCall } from './calls.ts';
import type { Conversation } from './conversation.ts';
import { createFence } from './fence.ts';
import { ModelBreaker } from './model-breaker.ts';
import type { CountedCall, ModelCaps } from './model-caps.ts';
import { ModelError } from './model-error.ts';
import type { ModelHealth } from './model-health.ts';
import type { MonthlyCaps } from './model-use-store.ts';
import { costOf, likelyCost, type Price } from './prices.ts';
import { nameOf, type Prompt } from './prompts/prompt.ts';
import type { ModelAddress } from './providers.ts';
import { purseOfThisWork } from './spending.ts';
import { TimeLimit } from './time-limit.ts';

/** From when a question has its place to the last word of its answer, repetitions included. */
const ANSWER_WITHIN_MS = 30_000;
/** The same for the turn of an agent, for whom nobody waits and who may write at length. */
const TURN_WITHIN_MS = 120_000;
/**
 * Questions of one account at a time, in one process. Models that are tried out have as many places of their own: what
 * somebody looks at does not wait. Agents need none: they are as many as there are places for executions, whose time is
 * counted.
 */
const CALLS_PER_ACCOUNT = 4;
/** So long a model that took the plain form alone is not tried with the full one. */
const PLAIN_MS = 3_600_000;
/** What the answer to a question usually comes to; so much is set aside for it. */
const USUAL_OUTPUT_TOKENS = 1_000;

/** Bounds of the calls out that questions are. */
export const MODEL_CALL_LIMITS = {
  headersTimeoutMs: TURN_WITHIN_MS,
  bodyTimeoutMs: TURN_WITHIN_MS,
  maxResponseBytes: 2 * 1024 * 1024,
};

/** A language model as it is asked. */
export interface ModelConnection extends ModelAddress {
  /** Null for one that is only tried out. */
  id: string | null;
  name: string;
  /** The operator's configuration says how it is reached. */
  isOffered: boolean;
  /** Null where no price is known. */
  price: Price | null;
  caps: MonthlyCaps;
}

/** A model of an account. */
export type StoredModel = ModelConnection & { id: string };

export interface LanguageModelsOptions {
  /** The only way out. */
  fetch: typeof fetch;
  /** The way to models that are offered, which may be where nobody else is to call. */
  fetchOffered: typeof fetch;
  /** Takes a call of what an account's plan allows. @throws {AppError} 429 `plan_limit` when none is left. */
  takeCall: (accountId: string) => Promise<Taken>;
  /** Knows which models are paused, and learns how calls end. */
  health: Pick<ModelHealth, 'expectRunning' | 'noteSuccess' | 'noteFailure'>;
  /** Keeps models within their monthly caps. */
  caps: Pick<ModelCaps, 'take'>;
  /** Writes down what a call took. */
  record: (call: AiCall) => Promise<void>;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  answerWithinMs?: number;
}

/** Who asks a model, for what, and by which prompt. */
interface Asker {
  accountId: string;
  model: ModelConnection;
  feature: AiFeature;
  /** Name and version. */
  prompt: string;
  /** Expected cost in US dollars, as far as the price is known. */
  likelyCost: number;
  /** True if the caller keeps its own budget, so that nothing is set aside from the purse. */
  hasOwnBudget: boolean;
}

/** The port to language models: a question in, a value out; or the turn of an agent. */
export class LanguageModels {
  readonly #options: LanguageModelsOptions;
  readonly #places = createLimiter({ concurrency: CALLS_PER_ACCOUNT });
  /** Until when a model, by {@link askedBy}, is asked in the plain form at once: it took no other. */
  readonly #plainUntilMs = new Map<string, number>();
  readonly #breaker: ModelBreaker;
  readonly #stop = new AbortController();

  constructor(options: LanguageModelsOptions) {
    this.#options = options;
    this.#breaker = new ModelBreaker(options.now);
  }

  /**
   * Asks the model and answers what the prompt's schema makes of it. The call is recorded, whatever comes of it; one that
   * cannot be is logged. Who tries a model out does not wait for the account's other questions.
   *
   * @throws {ModelError} when there is no such answer within 30 seconds of its turn, after at most two repetitions where the
   * model is busy and one where its answer does not fit; at once while a model rests that could not be reached, is at its
   * limit, refuses the key or answers nothing any more; when the account's plan allows no more calls; and when the program
   * stops. The signal's reason when it is aborted.
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
    const asker = {
      accountId,
      model,
      feature,
      prompt: nameOf(prompt),
      likelyCost: likelyCost(model.price, { characters, outputTokens: USUAL_OUTPUT_TOKENS }),
      hasOwnBudget: false,
    };
    return this.#inPlace(asker, ANSWER_WITHIN_MS, signal, (conversation) => conversation.ask(prompt, input));
  }

  /**
   * One turn of an agent: what it says, and which tools it wants called. Recorded as questions are; `prompt` is the name
   * and version of what the agent is told.
   *
   * @throws {ModelError} as for {@link ask}, but within two minutes; the signal's reason when it is aborted.
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
    const asker = {
      accountId,
      model,
      feature,
      prompt,
      likelyCost: likelyCost(model.price, { characters, outputTokens: USUAL_OUTPUT_TOKENS }),
      hasOwnBudget: true,
    };
    const turn = await this.#inPlace(asker, TURN_WITHIN_MS, signal, (conversation) =>
      conversation.takeTurn(request),
    );
    return { ...turn, cost: costOf(model.price, turn.tokens) };
  }

  /** Whether all that is asked was given up. */
  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Gives up all that is asked; from now on nothing can be. */
  close(): void {
    this.#stop.abort(new ModelError('unavailable', 'Winnow is stopping.'));
  }

  /** What comes of a conversation that has its place, and its time from then on. */
  async #inPlace<T>(
    asker: Asker,
    withinMs: number,
    signal: AbortSignal | undefined,
    converse: (conversation: Conversation) => Promise<T>,
  ): Promise<T> {
    const { accountId, feature, model } = asker;
    const { signal: stopped } = this.#stop;
    const givenUp = signal ? AbortSignal.any([signal, stopped]) : stopped;
    const work = async () => {
      const limit = new TimeLimit(this.#options.answerWithinMs ?? withinMs, givenUp);
      try {
        return await this.#converse(asker, limit, converse);
      } catch (error) {
        throw limit.explain(error, model.name);
      }
    };
    if (feature === 'flow') {
      givenUp.throwIfAborted();
      return work();
    }
    return this.#places.run(feature === 'test' ? `${accountId} test` : accountId, work, { signal: givenUp });
  }

  async #converse<T>(
    { accountId, model, feature, prompt, likelyCost: expectedCost, hasOwnBudget }: Asker,
    limit: TimeLimit,
    converse: (conversation: Conversation) => Promise<T>,
  ): Promise<T> {
    const { fetch, fetchOffered, now } = this.#options;
    const counted: CountedCall[] = [];
    // Loaded with the first question: the libraries behind it take 36 MB, which nobody without a model needs.
    const { Conversation } = await import('./conversation.ts');
    const purse = purseOfThisWork();
    const setAside = hasOwnBudget ? 0 : expectedCost;
    const pass = model.id === null ? null : this.#breaker.enter(model.id);
    if (model.id !== null) {
      await this.#options.health
        .expectRunning(accountId, { id: model.id, name: model.name })
        .catch((error) => {
          pass?.abandoned();
          throw error;
        });
    }
    if (!hasOwnBudget && purse?.setAside(setAside) === false) {
      pass?.abandoned();
      throw new ModelError('over_budget', `What is left of the budget is not enough to ask ${model.name}.`);
    }
    const at = now();
    const startMs = performance.now();
    const conversation = new Conversation({
      model,
      fetch: model.isOffered ? fetchOffered : fetch,
      limit,
      now,
      isPlain: (this.#plainUntilMs.get(askedBy(accountId, model)) ?? 0) > at.getTime(),
      onPlain: () => this.#askPlainly(accountId, model),
      takeCall: async () => {
        const { call, giveBack } = await this.#takeCall(accountId, model, expectedCost);
        if (call) counted.push(call);
        return {
          giveBack: async () => {
            if (call) counted.splice(counted.indexOf(call), 1);
            await giveBack();
          },
        };
      },
    });
    const recordAs = (outcome: AiCall['outcome']) => {
      const { answers, ...tokens } = conversation.tally;
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
      // What the plan refused was not asked.
      if (!(error instanceof ModelError) || error.kind === 'plan_limit') {
        pass?.abandoned();
        throw error;
      }
      // What a cap refused was not asked either, unless the model had answered before.
      if (this.isClosed || error.kind === 'capped') pass?.abandoned();
      else pass?.failed(error);
      await this.#noteFailure(accountId, model, error, at);
      if (error.kind !== 'capped' || conversation.tally.answers > 0) await recordAs(error.kind);
      throw error;
    } finally {
      const { answers, ...tokens } = conversation.tally;
      const cost = costOf(model.price, tokens);
      await settleCalls(counted, answers, cost);
      await purse?.settle(setAside, { cost, tokens, isAnswered: answers > 0 });
    }
  }

  #askPlainly(accountId: string, model: ModelConnection): void {
    const nowMs = this.#options.now().getTime();
    for (const [key, untilMs] of this.#plainUntilMs) if (untilMs <= nowMs) this.#plainUntilMs.delete(key);
    this.#plainUntilMs.set(askedBy(accountId, model), nowMs + PLAIN_MS);
  }

  /** Counts a call against the model's caps and the account's plan. A model that is only tried out has no caps. */
  async #takeCall(
    accountId: string,
    { id, name, caps }: ModelConnection,
    expectedCost: number,
  ): Promise<{ call: CountedCall | null } & Taken> {
    const call =
      id === null ? null : await this.#options.caps.take(accountId, { id, name, caps }, expectedCost);
    try {
      const taken = await this.#options.takeCall(accountId);
      return {
        call,
        giveBack: async () => {
          await call?.giveBack();
          await taken.giveBack();
        },
      };
    } catch (error) {
      await call?.giveBack();
      throw isPlanLimit(error) ? ModelError.ofPlan(error) : error;
    }
  }

  /** An answer is worth more than the record that there was one. */
  async #noteSuccess(accountId: string, modelId: string): Promise<void> {
    const { health, log } = this.#options;
    try {
      await health.noteSuccess(accountId, modelId);
    } catch (error) {
      log.warn({ error }, 'The health of a language model could not be recorded.');
    }
  }

  /** Records a failure, unless the program is stopping. The caller throws the failure itself. */
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

  /** An answer is worth more than the record of it. */
  async #record(call: AiCall): Promise<void> {
    const { record, log } = this.#options;
    try {
      await record(call);
    } catch (error) {
      log.warn({ error }, 'A call to a language model could not be recorded.');
    }
  }

  /** Has a model asked again at once, because its settings changed or a user asked for it. */
  wake(modelId: string): void {
    this.#breaker.wake(modelId);
  }

  /** Milliseconds until a model that failed may be asked again; 0 if it may be now. */
  waitMs(modelId: string): number {
    return this.#breaker.waitMs(modelId);
  }
}

/** Replaces the expected cost of calls by the real one, as far as it is known. */
async function settleCalls(
  calls: readonly CountedCall[],
  answers: number,
  cost: number | null,
): Promise<void> {
  if (cost === null || answers === 0) return;
  for (const call of calls.slice(0, answers)) await call.settle(cost / answers);
}

/** A model as one account asks it: what one has it refuse is nothing to the others. */
function askedBy(accountId: string, { apiUrl, identifier }: ModelConnection): string {
  return `${accountId} ${apiUrl} ${identifier}`;
}
