import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createdApiKey, type Scope } from '@winnow/contract/api-key';
import { MCP_SCHEMAS, type McpToolName } from '@winnow/contract/mcp';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import { z } from 'zod';
import type { Caller } from '../../testing/caller.ts';

type Given<T extends McpToolName> = z.input<(typeof MCP_SCHEMAS)[T]['input']>;
type Answered<T extends McpToolName> = z.output<(typeof MCP_SCHEMAS)[T]['output']>;

const toolResult = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The functions of an MCP client library that tests use. They return the server's responses
 * unchanged.
 */
interface SdkClient {
  tools(): Promise<{ tools: { name: string }[] }>;
  callTool(name: string, args: Record<string, unknown>): Promise<unknown>;
  resources(): Promise<unknown>;
  resourceTemplates(): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  prompts(): Promise<unknown>;
  prompt(name: string, args: Record<string, string>): Promise<unknown>;
  /** Requests completions for a variable of a resource URI. */
  complete(template: string, part: string, typed: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A client connected with an API key. */
export interface Agent extends SdkClient {
  /**
   * Calls a tool and returns its result. Checks that the result matches the tool's schema and its
   * text form.
   * @throws if the tool fails
   */
  use<T extends McpToolName>(tool: T, input: Given<T>): Promise<Answered<T>>;
  /**
   * Calls a writing tool that is expected to fail because the tracker refuses the write. Returns
   * the result.
   * @throws if the tool succeeds
   */
  notWritten<T extends McpToolName>(tool: T, input: Given<T>): Promise<Answered<T>>;
  /**
   * Calls a tool that is expected to fail. Returns the error text.
   * @throws if the tool succeeds
   */
  failing(tool: string, input: Record<string, unknown>): Promise<string>;
}

async function connectOfficial(
  origin: string,
  key: string,
  mode: 'legacy' | { pin: string },
): Promise<SdkClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP_PATH, origin), { requestInit }));
  return {
    tools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    resources: () => client.listResources(),
    resourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    prompts: () => client.listPrompts(),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (uri, name, value) =>
      client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }),
    close: () => client.close(),
  };
}

async function connectAiSdk(origin: string, key: string): Promise<SdkClient> {
  const headers = { authorization: `Bearer ${key}` };
  const client = await createMCPClient({
    transport: { type: 'http', url: new URL(MCP_PATH, origin).href, headers },
  });
  return {
    tools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    resources: () => client.listResources(),
    resourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    prompts: () => client.listPrompts(),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (uri, name, value) =>
      client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }),
    close: () => client.close(),
  };
}

/** Functions that connect a client, by client library and protocol version. */
export const CLIENTS: Record<string, (origin: string, key: string) => Promise<SdkClient>> = {
  'the official SDK of 2025-11-25': (origin, key) => connectOfficial(origin, key, 'legacy'),
  'the official SDK of 2026-07-28': (origin, key) => connectOfficial(origin, key, { pin: '2026-07-28' }),
  'the AI SDK': connectAiSdk,
};

/** Connects an agent. By default, uses the newest official client library. */
export async function connectAgent(
  origin: string,
  key: string,
  client = 'the official SDK of 2026-07-28',
): Promise<Agent> {
  const connectClient = CLIENTS[client];
  if (!connectClient) throw new Error(`Unknown client ${client}.`);
  const sdk = await connectClient(origin, key);
  const call = async (tool: string, input: Record<string, unknown>) =>
    toolResult.parse(await sdk.callTool(tool, input));
  return {
    ...sdk,
    async use(tool, input) {
      const { isError, content, structuredContent } = await call(tool, input);
      const [{ text } = { text: '' }] = content;
      if (isError) throw new Error(`${tool} failed: ${text}`);
      const answer = strictly(MCP_SCHEMAS[tool].output).parse(structuredContent);
      if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(structuredContent)) {
        throw new Error(`${tool} returned a text that differs from its structured content: ${text}`);
      }
      return answer as never;
    },
    async notWritten(tool, input) {
      const { isError, structuredContent } = await call(tool, input);
      if (!isError || !structuredContent) throw new Error(`${tool} is not marked as failed.`);
      return strictly(MCP_SCHEMAS[tool].output).parse(structuredContent) as never;
    },
    async failing(tool, input) {
      const { isError, content, structuredContent } = await call(tool, input);
      const [{ text } = { text: '' }] = content;
      if (!isError || structuredContent) throw new Error(`${tool} did not fail: ${text}`);
      return text;
    },
  };
}

/** Returns a copy of a schema that refuses unknown fields. */
function strictly(schema: z.ZodObject): z.ZodObject {
  return schema.strict();
}

let keys = 0;

/** Creates an API key in the caller's account. */
export async function newKey(
  caller: Caller,
  scopes: readonly Scope[] = ['read', 'propose', 'write'],
): Promise<{ id: string; key: string; name: string }> {
  keys += 1;
  const name = `Agent ${keys}`;
  const created = await caller.send('POST', '/auth/api-keys', { name, scopes }, createdApiKey);
  return { id: created.id, key: created.key, name };
}
