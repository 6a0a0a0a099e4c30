import { setTimeout as pause } from 'node:timers/promises';
import {
  generateText,
  jsonSchema,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  type ToolSet,
  tool,
} from 'ai';
import type { TakenUnit } from '../billing/index.ts';
import type { AgentTool, AgentTurn, AgentTurnRequest } from './agent-turn.ts';
import { parseAnswer } from './answer-parser.ts';
import { createFence } from './fence.ts';
import { ModelError } from './model-error.ts';
import { invalidAnswer, toModelError } from './model-failures.ts';
import type { Prompt } from './prompts/prompt.ts';
import { languageModelOf, type ModelAddress } from './providers.ts';
import type { TimeLimit } from './time-limit.ts';

/** Maximum retries of a call after a rate limit or an outage. */
const MAX_RETRIES = 2;
const FIRST_RETRY_PAUSE_MS = 500;
/**
 * Maximum wait within an agent's job before a retry, in milliseconds. If the provider asks for a
 * longer wait, the job ends, and the agent resumes in a later job.
 */
const MAX_AGENT_PAUSE_MS = 5_000;

/**
 * Totals of one question, summed over its responses. Token counts are null if the model did not
 * report them.
 */
export interface QuestionTotals {
  answers: number;
  input: number | null;
  output: number | null;
  /** Part of `input` that the provider served from its cache. */
  cachedInput: number | null;
}

/**
 * Form of a request. `full` sends all settings; `plain` sends only those that every model accepts.
 */
type Form = 'full' | 'plain';

export interface ConversationOptions {
  model: ModelAddress & { name: string };
  /** Sends the HTTP requests to the provider. */
  fetch: typeof fetch;
  limit: TimeLimit;
  now: () => Date;
  /** True if the model is known to accept only the plain form. */
  isPlain: boolean;
  /** Called when the model turns out to accept only the plain form. */
  onPlain: () => void;
  /**
   * Charges one call to the account's plan.
   * @throws {ModelError} if the plan has no calls left
   */
  takeCall: () => Promise<TakenUnit>;
}

/** One question to a model, including retries and the repair of an unusable answer. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly totals: QuestionTotals = { answers: 0, input: null, output: null, cachedInput: null };

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /**
   * Returns an answer that matches the schema. After an invalid answer, asks once more and
   * describes the problem.
   *
   * @throws {ModelError} if there is no valid answer
   */
  async ask<Input, Answer>(prompt: Prompt<Input, Answer>, input: Input): Promise<Answer> {
    const { model, limit } = this.#options;
    const fence = createFence();
    const say = (messages: ModelMessage[]) =>
      this.#withRetries((form) => this.#turn(prompt, prompt.system(fence), messages, form));
    try {
      const messages: ModelMessage[] = [{ role: 'user', content: prompt.render(input, fence) }];
      const first = await say(messages);
      const read = parseAnswer(first, prompt.answer);
      if (read.ok) return read.value;
      const correction = `${read.problem}\nAnswer again with one JSON object of the required form, and nothing else.`;
      const second = await say([
        ...messages,
        // An empty answer is replaced by a placeholder, because providers reject empty messages.
        { role: 'assistant', content: first === '' ? '{}' : first },
        { role: 'user', content: correction },
      ]).catch((error: unknown) => {
        const isSpent = error instanceof ModelError && error.kind === 'plan_limit';
        throw isSpent ? invalidAnswer(model.name, read.problem) : error;
      });
      const repaired = parseAnswer(second, prompt.answer);
      if (repaired.ok) return repaired.value;
      throw invalidAnswer(model.name, repaired.problem);
    } catch (error) {
      throw limit.explain(error, model.name);
    }
  }

  /**
   * Runs one turn of an agent. If the model calls an unknown tool or sends invalid arguments, the
   * returned call has a `problem`.
   *
   * @throws {ModelError} if the model does not respond
   */
  async takeTurn(request: AgentTurnRequest): Promise<Omit<AgentTurn, 'cost'>> {
    const { model, limit } = this.#options;
    try {
      return await this.#withRetries((form) => this.#agentTurn(request, form), MAX_AGENT_PAUSE_MS);
    } catch (error) {
      throw limit.explain(error, model.name);
    }
  }

  /**
   * Runs a turn and retries it while the model is busy. If the model rejects a request with all
   * settings (`full`), sends only the settings that every model accepts (`plain`).
   */
  async #withRetries<T>(turn: (form: Form) => Promise<T>, maxPauseMs = Number.POSITIVE_INFINITY): Promise<T> {
    const { model, isPlain, onPlain, now, limit } = this.#options;
    let form: Form = isPlain ? 'plain' : 'full';
    for (let retries = 0; ; ) {
      try {
        const outcome = await turn(form);
        if (form === 'plain' && !isPlain) onPlain();
        return outcome;
      } catch (cause) {
        limit.signal.throwIfAborted();
        const error = toModelError(cause, model.name, model.apiKey, now());
        if (!(error instanceof ModelError)) throw error;
        if (error.kind === 'rejected' && form === 'full') {
          form = 'plain';
          continue;
        }
        const isBusy = error.kind === 'rate_limited' || error.kind === 'unavailable';
        if (!isBusy || retries === MAX_RETRIES) throw error;
        const waitMs = error.waitMs ?? FIRST_RETRY_PAUSE_MS * 4 ** retries;
        if (waitMs > maxPauseMs || !limit.allows(waitMs)) throw error;
        await pause(waitMs, undefined, { signal: limit.signal });
        retries += 1;
      }
    }
  }

  async #turn<Answer>(
    prompt: Prompt<never, Answer>,
    system: string,
    messages: ModelMessage[],
    form: Form,
  ): Promise<string> {
    const { model, fetch, limit } = this.#options;
    const wanted = Output.object({ schema: prompt.answer, name: prompt.id.replaceAll('-', '_') });
    const result = await this.#call(() =>
      generateText({
        model: languageModelOf(model, fetch),
        instructions: system,
        messages,
        maxRetries: 0,
        abortSignal: limit.signal,
        ...(form === 'plain'
          ? {}
          : {
              temperature: 0,
              maxOutputTokens: prompt.maxOutputTokens,
              // Disables the library's parsing. This module parses and repairs the answers of all
              // models in the same way.
              output: { ...wanted, parseCompleteOutput: async ({ text }: { text: string }) => text },
            }),
      }),
    );
    if (result.finishReason === 'content-filter') {
      throw new ModelError('refused', `${model.name} refuses to answer.`);
    }
    return result.text;
  }

  async #agentTurn(request: AgentTurnRequest, form: Form): Promise<Omit<AgentTurn, 'cost'>> {
    const { model, fetch, limit } = this.#options;
    const { system, messages, tools, maxOutputTokens } = request;
    const result = await this.#call(() =>
      generateText({
        model: languageModelOf(model, fetch),
        instructions: system,
        messages: [...messages],
        ...(tools.length === 0 ? {} : { tools: toolSetOf(tools) }),
        maxRetries: 0,
        abortSignal: limit.signal,
        // Set in the plain form too, because the limit keeps a turn within its budget.
        maxOutputTokens,
        ...(form === 'plain' ? {} : { temperature: 0 }),
      }),
    );
    if (result.finishReason === 'content-filter') {
      throw new ModelError('refused', `${model.name} refuses to answer.`);
    }
    const calls = result.toolCalls.map((call) => ({
      id: call.toolCallId,
      name: call.toolName,
      input: call.input as unknown,
      problem: call.invalid === true ? problemOf(call, tools) : null,
    }));
    // Drops the error results that the library adds for invalid calls. The caller adds a result for
    // every call.
    const newMessages = result.response.messages.filter(({ role }) => role === 'assistant');
    const { inputTokens, outputTokens, inputTokenDetails } = result.usage;
    return {
      text: result.text,
      calls,
      newMessages,
      wasCut: result.finishReason === 'length',
      tokens: {
        input: inputTokens ?? null,
        output: outputTokens ?? null,
        cachedInput: inputTokenDetails.cacheReadTokens ?? null,
      },
    };
  }

  /**
   * Makes one call and charges it to the plan. A failed call is refunded. An aborted call is not
   * refunded, because the provider may bill it.
   */
  async #call<Result extends { usage: LanguageModelUsage }>(call: () => Promise<Result>): Promise<Result> {
    const taken = await this.#options.takeCall();
    try {
      const result = await call();
      this.totals.answers += 1;
      this.totals.input = addTokens(this.totals.input, result.usage.inputTokens);
      this.totals.output = addTokens(this.totals.output, result.usage.outputTokens);
      this.totals.cachedInput = addTokens(
        this.totals.cachedInput,
        result.usage.inputTokenDetails.cacheReadTokens,
      );
      return result;
    } catch (error) {
      if (!this.#options.limit.signal.aborted) await taken.refund();
      throw error;
    }
  }
}

/** Returns tool definitions that only describe the tools. The caller of the turn executes them. */
function toolSetOf(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  );
}

function problemOf({ toolName }: { toolName: string }, tools: readonly AgentTool[]): string {
  if (tools.some(({ name }) => name === toolName)) {
    return 'The arguments are not a JSON object. Call again with one.';
  }
  return `Tool ${toolName} not found. Available: ${tools.map(({ name }) => name).join(', ') || 'none'}.`;
}

function addTokens(total: number | null, more: number | undefined): number | null {
  return more === undefined ? total : (total ?? 0) + more;
}
