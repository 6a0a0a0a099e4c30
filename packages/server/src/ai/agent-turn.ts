import type { ModelMessage } from 'ai';
import type { TokenCounts } from './prices.ts';

/** A tool as a model is offered it; providers take names of at most 64 letters, digits, dashes and underscores. */
export interface AgentTool {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  inputSchema: Record<string, unknown>;
}

/** A call that a model asks for. */
export interface AgentCall {
  /** The model's name for it, by which it finds the answer. */
  id: string;
  name: string;
  input: unknown;
  /** Why it cannot be carried out as it stands, for the model to mend; null where nothing is wrong by its form. */
  problem: string | null;
}

/** One message of a conversation with an agent. Only what made it knows what is in it; it can be kept as JSON. */
export type AgentMessage = ModelMessage;

export interface AgentTurnRequest {
  /** Nothing of what strangers wrote is in it. */
  system: string;
  messages: readonly AgentMessage[];
  tools: readonly AgentTool[];
  maxOutputTokens: number;
}

/** What a model said in its turn, and what it wants done. */
export interface AgentTurn {
  text: string;
  calls: AgentCall[];
  /** What is to follow the messages of the request. */
  said: AgentMessage[];
  /** It would have said more. */
  wasCut: boolean;
  /** Null where the model did not say. */
  tokens: TokenCounts;
  /** US dollars by the provider's list; null when it is not known. */
  cost: number | null;
}

/** What somebody asks an agent for. */
export function askingMessage(text: string): AgentMessage {
  return { role: 'user', content: text };
}

/** What became of the calls of a turn; each one has to be answered before the next turn. */
export function answeringMessage(
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
