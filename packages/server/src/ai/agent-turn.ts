import type { ModelMessage } from 'ai';
import type { TokenCounts } from './prices.ts';

/**
 * Definition of a tool that is offered to a model. Providers accept names of at most 64 letters,
 * digits, dashes and underscores.
 */
export interface AgentTool {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  inputSchema: Record<string, unknown>;
}

/** A tool call that a model requests. */
export interface AgentCall {
  /** Call id chosen by the model. The result of the call carries the same id. */
  id: string;
  name: string;
  input: unknown;
  /** Explains to the model why the call is invalid. Null for a valid call. */
  problem: string | null;
}

/**
 * One message of an agent conversation. Callers may store it as JSON but must not read its fields.
 */
export type AgentMessage = ModelMessage;

export interface AgentTurnRequest {
  /** System prompt. It must not contain third-party text, which could inject instructions. */
  system: string;
  messages: readonly AgentMessage[];
  tools: readonly AgentTool[];
  maxOutputTokens: number;
}

/** Output of a model's turn: its text and the tool calls it requests. */
export interface AgentTurn {
  text: string;
  calls: AgentCall[];
  /** Messages to append to those of the request. */
  newMessages: AgentMessage[];
  /** True if the model's output was truncated at the token limit. */
  wasCut: boolean;
  /** Token counts. A count is null if the model did not report it. */
  tokens: TokenCounts;
  /** Cost in US dollars by the provider's price list; null if unknown. */
  cost: number | null;
}

/** Creates the message that carries a task for an agent. */
export function userMessage(text: string): AgentMessage {
  return { role: 'user', content: text };
}

/**
 * Creates the message with the results of a turn's calls. Before the next turn, every call must
 * have a result.
 */
export function toolResultMessage(
  answers: readonly { call: Pick<AgentCall, 'id' | 'name'>; text: string; isError: boolean }[],
): AgentMessage {
  return {
    role: 'tool',
    content: answers.map(({ call, text, isError }) => ({
      type: 'tool-result' as const,
      toolCallId: call.id,
      toolName: call.name,
      output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
    })),
  };
}
