import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import type { AiProvider } from '@winnow/contract/ai-model';

/** What the model does with one question. */
export type ModelReply =
  | { text: string; tokens?: { input: number; output: number } }
  | { calls: ToolCalled[]; text?: string; tokens?: { input: number; output: number } }
  | { refuses: string }
  | { fails: number; says: string; retryAfterSeconds?: number }
  | 'hangs';

/** A call of a tool; arguments that are a text are said as they are, be they JSON or not. */
export interface ToolCalled {
  name: string;
  arguments: object | string;
}

/** A question as it came in, whatever the provider's way of writing it. */
export interface ModelRequest {
  model: string;
  system: string;
  /** The turns after it, the oldest first. */
  turns: { role: string; text: string; calls?: ToolCalled[] }[];
  /** The names of the tools it may call. */
  tools: string[];
  /** The most tokens it may say. */
  maxTokens: number | undefined;
  temperature: number | undefined;
  /** What stands in the request of the answer's form. */
  responseFormat: unknown;
}

/** Language models of OpenAI, Anthropic, Google and whoever speaks OpenAI's language, at one address. */
export interface ModelsEmulator {
  /** The address to enter for a provider. */
  urlOf(provider: AiProvider): string;
  /** What the next questions get, one each; after them, what {@link answerAll} says. */
  next(...replies: ModelReply[]): void;
  answerAll(reply: (request: ModelRequest) => ModelReply | Promise<ModelReply>): void;
  /** Every question so far. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

const PATHS: Record<AiProvider, string> = {
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  custom: '/v1',
};

/** Starts it on a free port of this machine. */
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
    if ('text' in reply) return textOf(reply.text, 'stop', reply.tokens);
    if ('refuses' in reply) {
      // Anthropic has a word of its own; the others' are made of OpenAI's.
      return textOf(reply.refuses, body.model.startsWith('claude') ? 'refusal' : 'content_filter');
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

/** A text with what each provider calls its tokens. */
function textOf(
  content: string,
  finishReason: string,
  tokens?: { input: number; output: number },
): FixtureResponse {
  return { content, finishReason, usage: usageOf(tokens) };
}

function callsOf(
  calls: readonly ToolCalled[],
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

/** OpenAI's models that reason are instructed by a developer, all others by the system. */
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

function calledOf({ function: { name, arguments: given } }: { function: ToolCalled }): ToolCalled {
  return { name, arguments: given };
}

function textIn(content: ChatCompletionRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
