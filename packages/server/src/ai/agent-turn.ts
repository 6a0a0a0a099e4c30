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
  /** The model's id for the call. The result refers to it. */
  id: string;
  name: string;
  input: unknown;
  /**
   * Reason why the call cannot be carried out, written for the model to fix; null if its form is
   * valid.
   */
  problem: string | null;
}

/** One message of an agent conversation. Treat it as opaque; it can be stored as JSON. */
export type AgentMessage = ModelMessage;

export interface AgentTurnRequest {
  /** System prompt. Must contain nothing that third parties wrote. */
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
  /** True if the answer was cut at the token limit. */
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
 * Creates the message with the results of a turn's calls. Every call needs one before the next
 * turn.
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
