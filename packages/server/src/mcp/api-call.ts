import { AGENT_TOOLS, type AgentToolName } from '@winnow/contract/mcp';

/**
 * Methods that usage counts by name. Other methods are counted as `other`, so that clients cannot
 * create arbitrary counters.
 */
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

/**
 * Returns the name by which usage counts a request, such as `tools/call search_issues` or
 * `tools/list`.
 */
export function endpointOf(body: unknown): string {
  const { method } = fieldsOf(body);
  if (method === 'tools/call') {
    const tool = calledTool(body);
    return tool === null ? 'tools/call' : `tools/call ${tool}`;
  }
  return typeof method === 'string' && METHODS.has(method) ? method : 'other';
}

/**
 * Returns the name of the tool that a request calls. Null if it calls no tool, or an unknown one.
 */
export function calledTool(body: unknown): AgentToolName | null {
  const { method, params } = fieldsOf(body);
  const { name } = fieldsOf(params);
  return method === 'tools/call' ? (AGENT_TOOLS.find((tool) => tool === name) ?? null) : null;
}

/**
 * Maximum length of names and URIs, in UTF-16 code units. Error messages quote unknown names, so
 * longer ones are refused.
 */
const MAX_LOOKUP_CHARS = 3_000;

/** True if a request contains a name or URI longer than {@link MAX_LOOKUP_CHARS}. */
export function hasOverlongName(body: unknown): boolean {
  const { method, params } = fieldsOf(body);
  const { name, uri, ref } = fieldsOf(params);
  return [method, name, uri, ...Object.values(fieldsOf(ref))].some(
    (text) => typeof text === 'string' && text.length > MAX_LOOKUP_CHARS,
  );
}

/**
 * Strings that occur only in serialized errors. In any other text, the quotation marks would be
 * escaped.
 */
const ERROR_MARKERS = ['"isError":true', '"error":{"code":'];

/**
 * Yields the chunks of a response stream unchanged. Calls `onError` for each message that is an
 * error.
 */
export async function* watchForErrors(
  answer: ReadableStream<Uint8Array>,
  onError: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const message of answer) {
    if (isErrorMessage(Buffer.from(message.buffer, message.byteOffset, message.byteLength))) onError();
    yield message;
  }
}

/** True if a response body, or a single message of a response stream, is an error. */
export function isErrorMessage(answer: Buffer): boolean {
  return ERROR_MARKERS.some((sign) => answer.includes(sign));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
