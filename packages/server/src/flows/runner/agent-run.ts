import { createHash } from 'node:crypto';
import { FLOW_LIMITS } from '@winnow/contract/flow';
import { errorTextOf } from '../../agent-tools/index.ts';
import {
  type AgentCall,
  type AgentMessage,
  createFence,
  type Fence,
  toolResultMessage,
  userMessage,
  visible,
} from '../../ai/index.ts';
import { isRecord, MAX_TOOL_RESULT_CHARS } from '../../mcp-servers/index.ts';
import { isConnectionError } from '../../platform/database-unavailable.ts';
import type { Log } from '../../platform/log.ts';
import { truncate } from '../../platform/text.ts';
import type { EventFacts } from '../facts.ts';
import type { Area } from '../flow-references.ts';
import { renderTemplate } from '../template.ts';
import { AGENT_PROMPT, agentSystem, eventLine } from './agent-prompt.ts';
import type { Budget } from './budget.ts';
import { ExecutionFailed } from './execution-failed.ts';
import type { Journal } from './journal.ts';
import { type TurnOptions, takeTurn } from './model-turns.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { Toolbox } from './toolbox.ts';

/** Maximum length of an agent's final message, in UTF-16 code units. */
const MAX_RESULT_CHARS = 20_000;
const UNKNOWN_OUTCOME =
  'It is unknown if this call was carried out, because the run was interrupted. Check before you call it again.';

const EMPTY_ANSWER =
  'The model gave an empty answer: it called no tool and said nothing. What was done before stays.';

const CALL_LIMITS = FLOW_LIMITS.calls;
const READ_ELSEWHERE =
  'The run has read issues of other projects. All further writes are proposed, even in the project of the event.';
const TOO_MANY_AT_ONCE = `This call was skipped: at most ${CALL_LIMITS.ofTurn} calls are made per turn. Repeat it if you still need it.`;

/** A call that the model requested in the current turn, and its progress. */
interface OpenCall extends AgentCall {
  /** Id of the call, unique within the execution. Models may reuse their own call ids. */
  request: string;
  isBegun: boolean;
  answer: { text: string; isError: boolean } | null;
}

/** The conversation, stored after each turn. Another worker can continue from it. */
export interface AgentState {
  boundary: string;
  messages: AgentMessage[];
  /** Final message of the model; null while the run continues. */
  result: string | null;
}

/** State of the calls, stored after each call. */
export interface AgentCalls {
  /** Calls of the current turn. Emptied when all of them have results. */
  open: OpenCall[];
  /** Number of calls, by hash of tool and arguments. Used to detect repetition. */
  made: Record<string, number>;
  /** True if the agent has read data of other projects. */
  hasReadElsewhere: boolean;
}

export interface AgentRunOptions extends Omit<TurnOptions, 'waitSince'> {
  toolbox: Toolbox;
  tools: readonly OfferedTool[];
  journal: Journal;
  facts: EventFacts;
  area: Area;
  /** Progress that earlier attempts have stored. */
  before: {
    state: AgentState | null;
    calls: AgentCalls | null;
    iterations: number;
    toolCalls: number;
    modelWaitSince: Date | null;
  };
  budget: Budget;
  log: Log;
}

/**
 * Runs the language model of one execution. Takes turns and makes the calls that the model
 * requests, until it requests none.
 */
export class AgentRun {
  readonly #options: AgentRunOptions;
  readonly #budget: Budget;
  readonly #fence: Fence;
  readonly #system: string;
  #state: AgentState;
  #calls: Pick<AgentCalls, 'open' | 'made'>;
  #iterations: number;
  #toolCalls: number;
  #modelWaitSince: Date | null;
  #isEstimated = false;

  constructor(options: AgentRunOptions) {
    const { before, toolbox, facts } = options;
    const { definition, dryRun } = toolbox.bound;
    this.#options = options;
    this.#budget = options.budget;
    this.#iterations = before.iterations;
    this.#toolCalls = before.toolCalls;
    this.#modelWaitSince = before.modelWaitSince;
    this.#fence = createFence(before.state?.boundary);
    this.#system = agentSystem(definition, { project: facts.event.project, dryRun, fence: this.#fence });
    const { boundary } = this.#fence;
    this.#state = before.state ?? { boundary, messages: [], result: null };
    this.#calls = before.calls ?? { open: [], made: {} };
  }

  /**
   * Runs until the model requests no calls, and returns its final message.
   *
   * @throws {ExecutionFailed} if a limit is reached
   * @throws {ModelTemporarilyDown} if the model is temporarily down
   * @throws {ModelError} if the model fails for another reason
   * @throws the signal's abort reason if the signal is aborted
   */
  async run(): Promise<string> {
    const { signal, model } = this.#options;
    if (this.#state.messages.length === 0) await this.#begin();
    this.#budget.expectWithinLimits(model);
    while (this.#state.result === null) {
      signal.throwIfAborted();
      if (this.#calls.open.length > 0) await this.#answerCalls();
      else await this.#takeTurn();
    }
    if (this.#state.result === '') throw new ExecutionFailed(EMPTY_ANSWER);
    return this.#state.result;
  }

  async #begin(): Promise<void> {
    const { facts, area, toolbox, tools, journal, model } = this.#options;
    const task = renderTemplate(toolbox.bound.definition.prompt_template ?? '', facts, this.#fence);
    const prompt = `${task}\n\n${eventLine(facts.event, area)}`;
    this.#state = { ...this.#state, messages: [userMessage(prompt)] };
    const names = tools.map(({ server, name }) => `${server}/${name}`);
    const unpriced = `The price of ${model.name} is unknown, so the budget in dollars cannot be enforced. The limits of tokens, iterations and time still apply.`;
    await journal.write({
      state: this.#state,
      entries: [
        { type: 'prompt', payload: { system: this.#system, prompt, tools: names } },
        ...(model.price !== null ? [] : [{ type: 'status' as const, payload: { notice: unpriced } }]),
      ],
    });
  }

  async #takeTurn(): Promise<void> {
    const { model, journal, toolbox, tools } = this.#options;
    const most = toolbox.bound.definition.max_iterations ?? FLOW_LIMITS.iterations.usual;
    if (this.#iterations >= most) {
      throw new ExecutionFailed(`The run stopped at its limit of ${most} iterations.`);
    }
    const offered = tools.map((tool) => tool.offered);
    const { messages } = this.#state;
    const asked = JSON.stringify([this.#system, messages, offered]).length;
    const { tokens: maxOutputTokens, isBounded } = this.#budget.outputFor(model, asked);
    const request = { system: this.#system, messages, tools: offered, maxOutputTokens };
    const asking = { ...this.#options, waitSince: this.#modelWaitSince };
    const turn = await takeTurn(asking, toolbox.bound.accountId, AGENT_PROMPT, request);
    this.#modelWaitSince = null;
    const { text, calls, newMessages, tokens, cost, wasCut } = turn;
    this.#iterations += 1;
    const isDone = calls.length === 0;
    const shown = truncate(visible(text).trim(), MAX_RESULT_CHARS);
    this.#state = {
      ...this.#state,
      messages: [...messages, ...newMessages],
      result: isDone ? shown : null,
    };
    const open = calls.map((call, index) => {
      const answer = index < CALL_LIMITS.ofTurn ? null : { text: TOO_MANY_AT_ONCE, isError: true };
      return { ...call, request: `${this.#iterations}.${index + 1}`, isBegun: false, answer };
    });
    this.#calls = { ...this.#calls, open };
    const left = open.length - CALL_LIMITS.ofTurn;
    const isEstimated =
      cost === null &&
      (await this.#budget.estimate(
        model,
        { input: asked, output: JSON.stringify(newMessages).length },
        tokens,
      ));
    const isNews = isEstimated && !this.#isEstimated;
    this.#isEstimated ||= isEstimated;
    const untold = `${model.name} does not report its tokens, so the cost of its turns is estimated.`;
    await journal.write({
      state: this.#state,
      calls: this.#kept,
      iterations: 1,
      modelWaitSince: null,
      entries: [
        { type: 'model_call', payload: { model: model.name, iteration: this.#iterations, tokens, cost } },
        ...(shown === '' ? [] : [{ type: 'message' as const, payload: { text: shown } }]),
        ...(isNews ? [{ type: 'status' as const, payload: { notice: untold } }] : []),
        ...(left > 0 ? [{ type: 'status' as const, payload: { notice: noticeOf(left) } }] : []),
      ],
    });
    this.#budget.expectWithinLimits(model);
    if (wasCut && isBounded && isDone) {
      throw new ExecutionFailed('The remaining budget was not enough for the model to finish.');
    }
  }

  async #answerCalls(): Promise<void> {
    const { signal } = this.#options;
    for (const call of this.#calls.open) {
      signal.throwIfAborted();
      if (call.answer === null) await this.#answer(call);
    }
    const { open } = this.#calls;
    const answers = open.flatMap((call) => (call.answer === null ? [] : [{ call, ...call.answer }]));
    const messages = [...this.#state.messages, toolResultMessage(answers)];
    this.#state = { ...this.#state, messages };
    this.#calls = { ...this.#calls, open: [] };
  }

  async #answer(call: OpenCall): Promise<void> {
    const { journal, tools, toolbox, log } = this.#options;
    const tool = tools.find(({ offered }) => offered.name === call.name);
    const label = tool ? `${tool.server}/${tool.name}` : call.name;
    const wasBegun = call.isBegun;
    const key = callKey(label, call.input);
    if (!wasBegun) {
      if (this.#toolCalls >= CALL_LIMITS.most) {
        throw new ExecutionFailed(`The run stopped at its limit of ${CALL_LIMITS.most} tool calls.`);
      }
      call.isBegun = true;
      this.#toolCalls += 1;
      this.#calls.made[key] = (this.#calls.made[key] ?? 0) + 1;
      await journal.recordCall(label, call.input, this.#kept);
    }
    const times = this.#calls.made[key] ?? 0;
    if (times >= FLOW_LIMITS.repetitions) {
      throw new ExecutionFailed(
        `The run repeated itself: ${label} was called ${times} times with the same arguments.`,
      );
    }
    const refuse = async (text: string, fenced = text) => {
      call.answer = { text: fenced, isError: true };
      await journal.recordResult(label, { text, isError: true, action: null }, this.#kept);
    };
    if (call.problem !== null || tool === undefined) {
      return refuse(call.problem ?? `Tool ${call.name} not found.`);
    }
    if (wasBegun && toolbox.hasUnknownOutcomeAfterCrash(tool)) return refuse(UNKNOWN_OUTCOME);
    const { hasReadElsewhere } = toolbox;
    try {
      const performed = await toolbox.perform(tool, call.input, call.request);
      if (performed === null) return refuse('This flow may not use this tool.');
      const { answer, isError, action } = performed;
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      call.answer = {
        text: this.#fence.text(`Result of ${call.name}`, text, MAX_TOOL_RESULT_CHARS),
        isError,
      };
      await journal.recordResult(label, { text, isError, action }, this.#kept);
    } catch (error) {
      if (isConnectionError(error) || this.#options.signal.aborted) throw error;
      const text = errorTextOf(error, label, log);
      // Fenced, because the error may quote text of an issue.
      await refuse(text, this.#fence.text(`Error of ${call.name}`, text, MAX_TOOL_RESULT_CHARS));
    }
    const isNews = toolbox.hasReadElsewhere && !hasReadElsewhere;
    if (isNews && toolbox.appliesWrites) await journal.log('status', { notice: READ_ELSEWHERE });
  }

  /** Returns the state of the calls for storage. */
  get #kept(): AgentCalls {
    return { ...this.#calls, hasReadElsewhere: this.#options.toolbox.hasReadElsewhere };
  }
}

function noticeOf(left: number): string {
  const calls = left === 1 ? '1 call was' : `${left} calls were`;
  return `${calls} skipped: at most ${CALL_LIMITS.ofTurn} calls are made per turn.`;
}

/** Hashes a tool and its arguments. The order of properties does not affect the hash. */
function callKey(label: string, input: unknown): string {
  const sorted = JSON.stringify(input, (_name, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
  return createHash('sha256').update(`${label} ${sorted}`).digest('base64url');
}
