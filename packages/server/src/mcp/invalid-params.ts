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
/** Maximum problems named in the error. Callers fix the first ones first. */
const MAX_PROBLEMS_NAMED = 5;

/** A JSON-RPC error and its HTTP status. */
export interface Refusal {
  status: number;
  message: object;
}

/**
 * Returns the JSON-RPC error for a request with invalid parameters; null for any other message. The
 * protocol library would report an internal error instead.
 */
export async function invalidParamsError(body: unknown): Promise<Refusal | null> {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return null;
  const { method, id } = body;
  if (typeof method !== 'string' || !isKnown(method)) return null;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  // Protocol 2026 has no `initialize`: its clients describe themselves in each request.
  if (method === 'initialize' && JSON.stringify(body).includes('"io.modelcontextprotocol/')) return null;
  const { issues } = await SCHEMAS[method]['~standard'].validate(body);
  if (issues === undefined) return null;
  const problems = issues
    .slice(0, MAX_PROBLEMS_NAMED)
    .map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`);
  const message = `The parameters of ${method} are not valid. ${problems.join('; ')}`;
  return {
    // Parameters that are not an object violate the protocol (400). All others are errors of the
    // method (200).
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
