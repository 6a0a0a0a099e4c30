import type { Log } from '../platform/log.ts';
import { createHostLimiter } from '../platform/outbound/limiter.ts';
import type { AiCall, AiFeature } from './calls.ts';
import { ModelError } from './model-error.ts';
import { nameOf, type Prompt } from './prompts/prompt.ts';
import type { ModelAddress } from './providers.ts';
import { TimeLimit } from './time-limit.ts';

/** From the question to the last word of its answer, the wait for a place and repetitions included. */
const ANSWER_WITHIN_MS = 30_000;
/** Questions of one account at a time, in one process, beside those that try a model out. */
const CALLS_PER_ACCOUNT = 4;
/** So long a model that failed is not asked, unless it named another time; no longer than the longest. */
const REST_MS = 60_000;
const LONGEST_REST_MS = 300_000;

/** Bounds of the calls out that questions are. */
export const MODEL_CALL_LIMITS = {
  headersTimeoutMs: ANSWER_WITHIN_MS,
  bodyTimeoutMs: ANSWER_WITHIN_MS,
  maxResponseBytes: 2 * 1024 * 1024,
};

/** A language model as it is asked. */
export interface ModelConnection extends ModelAddress {
  /** Null for one that is only tried out. */
  id: string | null;
  name: string;
}

/** A model of an account. */
export type StoredModel = ModelConnection & { id: string };

export interface LanguageModelsOptions {
  /** The only way out. */
  fetch: typeof fetch;
  /** Writes down what a call took. */
  record: (call: AiCall) => Promise<void>;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  answerWithinMs?: number;
}

/** The port to language models: a question in, a value out. */
export class LanguageModels {
  readonly #options: LanguageModelsOptions;
  readonly #places = createHostLimiter({ concurrency: CALLS_PER_ACCOUNT });
  readonly #plain = new Set<string>();
  readonly #resting = new Map<string, { untilMs: number; error: ModelError }>();

  constructor(options: LanguageModelsOptions) {
    this.#options = options;
  }

  /**
   * Asks the model and answers what the prompt's schema makes of it. The call is recorded, whatever comes of it; one that
   * cannot be is logged. Who tries a model out does not wait for the account's other questions.
   *
   * @throws {ModelError} when there is no such answer within 30 seconds, after at most two repetitions where the model is
   * busy and one where its answer does not fit; at once while a model rests that could not be reached, is at its limit or
   * refuses the key.
   */
  async ask<Input, Answer>(
    accountId: string,
    model: ModelConnection,
    feature: AiFeature,
    prompt: Prompt<Input, Answer>,
    input: Input,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const limit = new TimeLimit(this.#options.answerWithinMs ?? ANSWER_WITHIN_MS, signal);
    const work = () => this.#ask(accountId, model, feature, prompt, input, limit);
    const place = feature === 'test' ? `${accountId} test` : accountId;
    try {
      return await this.#places.run(place, work, { signal: limit.signal });
    } catch (error) {
      throw limit.explain(error, model.name);
    }
  }

  async #ask<Input, Answer>(
    accountId: string,
    model: ModelConnection,
    feature: AiFeature,
    prompt: Prompt<Input, Answer>,
    input: Input,
    limit: TimeLimit,
  ): Promise<Answer> {
    this.#refuseResting(model);
    const { fetch, now } = this.#options;
    // Loaded with the first question: the libraries behind it take 36 MB, which nobody without a model needs.
    const { Conversation } = await import('./conversation.ts');
    const at = now();
    const startMs = performance.now();
    const conversation = new Conversation({ model, fetch, limit, now, plain: this.#plain });
    const recordAs = (outcome: AiCall['outcome']) => {
      const { answers, ...tokens } = conversation.tally;
      const durationMs = performance.now() - startMs;
      return this.#record({
        accountId,
        feature,
        model,
        prompt: nameOf(prompt),
        answers,
        tokens,
        durationMs,
        outcome,
        at,
      });
    };
    try {
      const answer = await conversation.ask(prompt, input);
      await recordAs('answered');
      return answer;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#rest(model, error);
      await recordAs(error.kind);
      throw error;
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

  /** Has a model asked again at once, since somebody changed how it is reached. */
  wake(modelId: string): void {
    this.#resting.delete(modelId);
  }

  #refuseResting({ id }: ModelConnection): void {
    const rest = id === null ? undefined : this.#resting.get(id);
    if (rest !== undefined && rest.untilMs > this.#options.now().getTime()) throw rest.error;
  }

  #rest({ id }: ModelConnection, error: ModelError): void {
    if (id === null || !error.concernsModel) return;
    const restMs = Math.min(error.waitMs ?? REST_MS, LONGEST_REST_MS);
    this.#resting.set(id, { untilMs: this.#options.now().getTime() + restMs, error });
  }
}
