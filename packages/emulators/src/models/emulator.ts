import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import type { AiProvider } from '@winnow/contract/ai-model';

/** Response of a model to a request. */
export type ModelReply =
  | { text: string; tokens?: { input: number; output: number } }
  | { calls: EmulatedToolCall[]; text?: string; tokens?: { input: number; output: number } }
  | { refuses: string }
  | { fails: number; says: string; retryAfterSeconds?: number }
  | 'hangs';

/** A tool call. String arguments are sent unchanged, even if they are not JSON. */
interface EmulatedToolCall {
  name: string;
  arguments: object | string;
}

/** A request to a model, in one format for all providers. */
export interface ModelRequest {
  model: string;
  system: string;
  /** Messages after the system prompt, oldest first. */
  turns: { role: string; text: string; calls?: EmulatedToolCall[] }[];
  /** Names of the tools that the model can call. */
  tools: string[];
  /** Maximum output tokens. */
  maxTokens: number | undefined;
  temperature: number | undefined;
  /** The requested response format, as the client sent it. */
  responseFormat: unknown;
}

/**
 * Emulated language models of OpenAI, Anthropic, Google and OpenAI-compatible providers. All have
 * the same origin.
 */
export interface ModelsEmulator {
  /** Returns the API URL of a provider. */
  urlOf(provider: AiProvider): string;
  /**
   * Queues replies. Each of the next requests takes one of them. Later requests get the reply from
   * {@link answerAll}.
   */
  next(...replies: ModelReply[]): void;
  answerAll(reply: (request: ModelRequest) => ModelReply | Promise<ModelReply>): void;
  /** All requests so far. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

const PATHS: Record<AiProvider, string> = {
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  custom: '/v1',
};

/** Starts the emulated models on a free local port. */
export async function startModels(): Promise<ModelsEmulator> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  const planned: ModelReply[] = [];
  const requests: ModelRequest[] = [];
  const hanging = new Set<() => void>();
  let answer: (request: ModelRequest) => ModelReply | Promise<ModelReply> = () => ({ text: '{}' });

  const respond = async (body: ChatCompletionRequest): Promise<FixtureResponse> => {
    const request = requestOf(body);
    requests.push(request);
    const reply = planned.shift() ?? (await answer(request));
    if (reply === 'hangs') {
      await new Promise<void>((release) => hanging.add(release));
      return { error: { message: 'The emulator was closed.' }, status: 503 };
    }
    if ('calls' in reply) return callsOf(reply.calls, reply.text, reply.tokens);
    if ('text' in reply) return textResponse(reply.text, 'stop', reply.tokens);
    if ('refuses' in reply) {
      // Anthropic has its stop reason for refusals. For other providers, the mock derives it from
      // OpenAI's `content_filter`.
      return textResponse(reply.refuses, body.model.startsWith('claude') ? 'refusal' : 'content_filter');
    }
    const { fails: status, says: message, retryAfterSeconds } = reply;
    return {
      error: { message },
      status,
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    };
  };
  mock.on({ predicate: () => true }, respond);
  const url = await mock.start();

  return {
    urlOf: (provider) => `${url}${PATHS[provider]}`,
    next: (...replies) => void planned.push(...replies),
    answerAll: (reply) => {
      answer = reply;
    },
    requests,
    async close() {
      for (const release of hanging) release();
      await mock.stop();
    },
  };
}

/**
 * Returns a response with a text. Token counts are included under the field names of each provider.
 */
function textResponse(
  content: string,
  finishReason: string,
  tokens?: { input: number; output: number },
): FixtureResponse {
  return { content, finishReason, usage: usageOf(tokens) };
}

function callsOf(
  calls: readonly EmulatedToolCall[],
  content: string | undefined,
  tokens?: { input: number; output: number },
): FixtureResponse {
  const toolCalls = calls.map((call) => ({
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
  const usage = usageOf(tokens);
  return content === undefined ? { toolCalls, usage } : { content, toolCalls, usage };
}

function usageOf({ input, output } = { input: 100, output: 20 }) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    input_tokens: input,
    output_tokens: output,
    promptTokenCount: input,
    candidatesTokenCount: output,
  };
}

/**
 * OpenAI's reasoning models use the role `developer` for instructions. All other models use
 * `system`.
 */
const SYSTEM_ROLES = ['system', 'developer'];

function requestOf(body: ChatCompletionRequest): ModelRequest {
  const turns = body.messages.map(({ role, content, tool_calls: calls }) => ({
    role,
    text: textIn(content),
    ...(calls === undefined || calls.length === 0 ? {} : { calls: calls.map(calledOf) }),
  }));
  return {
    model: body.model,
    system: turns.find(({ role }) => SYSTEM_ROLES.includes(role))?.text ?? '',
    turns: turns.filter(({ role }) => !SYSTEM_ROLES.includes(role)),
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    responseFormat: body.response_format,
  };
}

function calledOf({
  function: { name, arguments: given },
}: {
  function: EmulatedToolCall;
}): EmulatedToolCall {
  return { name, arguments: given };
}

function textIn(content: ChatCompletionRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
