import { specTypeSchemas } from '@modelcontextprotocol/server';

const SCHEMAS = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'completion/complete': specTypeSchemas.CompleteRequest,
} as const;
const INVALID_PARAMS = -32_602;
/** Enough to see what is wrong; a caller corrects the first of them first. */
const MOST_PROBLEMS = 5;

/** A JSON-RPC error, and the HTTP status to send it with. */
export interface Refusal {
  status: number;
  message: object;
}

/**
 * The JSON-RPC error for a request whose parameters are not what its method takes; null for any other message. The
 * protocol's library would report them as an internal error.
 */
export async function refusalOfParams(body: unknown): Promise<Refusal | null> {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return null;
  const { method, id } = body;
  if (typeof method !== 'string' || !isKnown(method)) return null;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  // Clients of 2026 describe themselves in each request, and have no such method.
  if (method === 'initialize' && JSON.stringify(body).includes('"io.modelcontextprotocol/')) return null;
  const { issues } = await SCHEMAS[method]['~standard'].validate(body);
  if (issues === undefined) return null;
  const problems = issues
    .slice(0, MOST_PROBLEMS)
    .map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`);
  const message = `The parameters of ${method} are not valid. ${problems.join('; ')}`;
  return {
    // Parameters that are no object are no JSON-RPC of this protocol; all else is an error of the method.
    status: !('params' in body) || isObject(body.params) ? 200 : 400,
    message: { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } },
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isKnown(method: string): method is keyof typeof SCHEMAS {
  return Object.hasOwn(SCHEMAS, method);
}
