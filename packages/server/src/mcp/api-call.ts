import { AGENT_TOOLS, type AgentToolName } from '@winnow/contract/mcp';

/** What clients may ask for beside tools; anything else is told as `other`, so that no client chooses what is counted. */
const METHODS = new Set([
  'completion/complete',
  'initialize',
  'notifications/cancelled',
  'notifications/initialized',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/list',
]);

/** What a request asks for, as it is counted: `tools/call search_issues`, `tools/list`. */
export function askedFor(body: unknown): string {
  const { method } = fieldsOf(body);
  if (method === 'tools/call') {
    const tool = calledTool(body);
    return tool === null ? 'tools/call' : `tools/call ${tool}`;
  }
  return typeof method === 'string' && METHODS.has(method) ? method : 'other';
}

/** The tool that a request calls; null when it calls none that there is. */
export function calledTool(body: unknown): AgentToolName | null {
  const { method, params } = fieldsOf(body);
  const { name } = fieldsOf(params);
  return method === 'tools/call' ? (AGENT_TOOLS.find((tool) => tool === name) ?? null) : null;
}

/** The longest name or address that is looked for, in UTF-16 code units. What is not found is repeated to the caller. */
const LONGEST_LOOKED_FOR = 3_000;

/** Whether what a request names is so long that there cannot be anything of that name. */
export function namesTooMuch(body: unknown): boolean {
  const { method, params } = fieldsOf(body);
  const { name, uri, ref } = fieldsOf(params);
  return [method, name, uri, ...Object.values(fieldsOf(ref))].some(
    (text) => typeof text === 'string' && text.length > LONGEST_LOOKED_FOR,
  );
}

/** How answers of errors look; within a text the quotation marks would be escaped. */
const SIGNS_OF_ERRORS = ['"isError":true', '"error":{"code":'];

/** Passes an answer on, message by message, and tells when one is an error. */
export async function* noticingErrors(
  answer: ReadableStream<Uint8Array>,
  onError: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const message of answer) {
    if (isOfError(Buffer.from(message.buffer, message.byteOffset, message.byteLength))) onError();
    yield message;
  }
}

/** Whether an answer, or a message of it, tells of an error. */
export function isOfError(answer: Buffer): boolean {
  return SIGNS_OF_ERRORS.some((sign) => answer.includes(sign));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
