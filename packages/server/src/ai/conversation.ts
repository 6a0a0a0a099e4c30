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
import type { Taken } from '../billing/amounts/amounts.ts';
import type { AgentTool, AgentTurn, AgentTurnRequest } from './agent-turn.ts';
import { modelErrorOf, notUnderstood } from './explain-failure.ts';
import { createFence } from './fence.ts';
import { ModelError } from './model-error.ts';
import type { Prompt } from './prompts/prompt.ts';
import { languageModelOf, type ModelAddress } from './providers.ts';
import { readAnswer } from './read-answer.ts';
import type { TimeLimit } from './time-limit.ts';

/** After a limit or an outage. */
const RETRIES = 2;
const FIRST_PAUSE_MS = 500;
/** An agent that has to pause longer gives its place to others instead, and asks again later. */
const LONGEST_AGENT_PAUSE_MS = 5_000;

/** What a question has taken so far; tokens are null where the model did not say. */
export interface Tally {
  answers: number;
  input: number | null;
  output: number | null;
  /** The part of `input` that the provider had cached. */
  cachedInput: number | null;
}

/** How a question is put: with all that makes for a good answer, or with nothing that a model might not know. */
type Form = 'full' | 'plain';

export interface ConversationOptions {
  model: ModelAddress & { name: string };
  /** The only way out. */
  fetch: typeof fetch;
  limit: TimeLimit;
  now: () => Date;
  /** Whether the model took the plain form alone. */
  isPlain: boolean;
  /** Told when it turns out so. */
  onPlain: () => void;
  /** Takes a call of what the account's plan allows. @throws {ModelError} when none is left. */
  takeCall: () => Promise<Taken>;
}

/** One question to a model, with what it takes to get an answer that fits. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly tally: Tally = { answers: 0, input: null, output: null, cachedInput: null };

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /**
   * An answer that fits: the first one, or the one that was given when the model was told what is wrong with it.
   *
   * @throws {ModelError} when there is none.
   */
  async ask<Input, Answer>(prompt: Prompt<Input, Answer>, input: Input): Promise<Answer> {
    const { model, limit } = this.#options;
    const fence = createFence();
    const say = (messages: ModelMessage[]) =>
      this.#insist((form) => this.#turn(prompt, prompt.system(fence), messages, form));
    try {
      const messages: ModelMessage[] = [{ role: 'user', content: prompt.render(input, fence) }];
      const first = await say(messages);
      const read = readAnswer(first, prompt.answer);
      if (read.ok) return read.value;
      const correction = `${read.problem}\nAnswer again with one JSON object of the form that was asked for, and nothing else.`;
      const second = await say([
        ...messages,
        // No provider takes an empty turn.
        { role: 'assistant', content: first === '' ? '{}' : first },
        { role: 'user', content: correction },
      ]).catch((error: unknown) => {
        const isSpent = error instanceof ModelError && error.kind === 'plan_limit';
        throw isSpent ? notUnderstood(model.name, read.problem) : error;
      });
      const repaired = readAnswer(second, prompt.answer);
      if (repaired.ok) return repaired.value;
      throw notUnderstood(model.name, repaired.problem);
    } catch (error) {
      throw limit.explain(error, model.name);
    }
  }

  /**
   * One turn of an agent. Arguments that are no JSON, and tools that there are not, come as calls with a problem.
   *
   * @throws {ModelError} when there is none.
   */
  async takeTurn(request: AgentTurnRequest): Promise<Omit<AgentTurn, 'cost'>> {
    const { model, limit } = this.#options;
    try {
      return await this.#insist((form) => this.#agentTurn(request, form), LONGEST_AGENT_PAUSE_MS);
    } catch (error) {
      throw limit.explain(error, model.name);
    }
  }

  /** What a turn comes to, repeated where the model is busy. A model that does not take the full form is asked in the plain one. */
  async #insist<T>(turn: (form: Form) => Promise<T>, longestPauseMs = Number.POSITIVE_INFINITY): Promise<T> {
    const { model, isPlain, onPlain, now, limit } = this.#options;
    let form: Form = isPlain ? 'plain' : 'full';
    for (let retries = 0; ; ) {
      try {
        const said = await turn(form);
        if (form === 'plain' && !isPlain) onPlain();
        return said;
      } catch (cause) {
        limit.signal.throwIfAborted();
        const error = modelErrorOf(cause, model.name, model.apiKey, now());
        if (!(error instanceof ModelError)) throw error;
        if (error.kind === 'rejected' && form === 'full') {
          form = 'plain';
          continue;
        }
        const isBusy = error.kind === 'rate_limited' || error.kind === 'unavailable';
        if (!isBusy || retries === RETRIES) throw error;
        const waitMs = error.waitMs ?? FIRST_PAUSE_MS * 4 ** retries;
        if (waitMs > longestPauseMs || !limit.allows(waitMs)) throw error;
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
              // What comes is read here, so that one way of reading and repairing holds for every model.
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
        // In either form: it is what keeps a turn within the budget.
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
    // The library answers calls that it finds wrong; here all are answered in one place.
    const said = result.response.messages.filter(({ role }) => role === 'assistant');
    const { inputTokens, outputTokens, inputTokenDetails } = result.usage;
    return {
      text: result.text,
      calls,
      said,
      wasCut: result.finishReason === 'length',
      tokens: {
        input: inputTokens ?? null,
        output: outputTokens ?? null,
        cachedInput: inputTokenDetails.cacheReadTokens ?? null,
      },
    };
  }

  /**
   * One call of the model, counted when it is answered and given back to the plan when it fails. One that was given up on
   * counts: the model may be at work by then, which whoever pays for it is not given back.
   */
  async #call<Result extends { usage: LanguageModelUsage }>(call: () => Promise<Result>): Promise<Result> {
    const taken = await this.#options.takeCall();
    try {
      const result = await call();
      this.tally.answers += 1;
      this.tally.input = sum(this.tally.input, result.usage.inputTokens);
      this.tally.output = sum(this.tally.output, result.usage.outputTokens);
      this.tally.cachedInput = sum(this.tally.cachedInput, result.usage.inputTokenDetails.cacheReadTokens);
      return result;
    } catch (error) {
      if (!this.#options.limit.signal.aborted) await taken.giveBack();
      throw error;
    }
  }
}

/** Tools without anything that carries them out: who asked for the turn does. */
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
    return 'The arguments are no JSON object. Call again with one.';
  }
  return `There is no tool ${toolName}. There are: ${tools.map(({ name }) => name).join(', ') || 'none'}.`;
}

function sum(so: number | null, more: number | undefined): number | null {
  return more === undefined ? so : (so ?? 0) + more;
}
