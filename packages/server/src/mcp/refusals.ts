import { PROTOCOL_VERSION_META_KEY, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';
import { errorCodes } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { hasOverlongName } from './api-call.ts';
import { PROMPT_ARGUMENTS } from './prompts.ts';
import { TEMPLATE_VARIABLES } from './resources.ts';

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
/** Maximum problems named in the error. Callers fix the first ones first. */
const MAX_PROBLEMS_NAMED = 5;

/** A JSON-RPC error and its HTTP status. */
export interface Refusal {
  status: number;
  message: object;
}

type Fields = Record<string, unknown>;

/**
 * Returns the JSON-RPC error for a message that the protocol library would serve wrongly; null for
 * any other one. The library reports internal errors for many faults of the caller.
 */
export async function refusalOf(body: unknown): Promise<Refusal | null> {
  // A request must be a single call, so that it counts once against the limits of the key.
  if (Array.isArray(body)) return invalidRequest('Send one message at a time, not an array.');
  if (!isObject(body)) return null;
  const { method, id } = body;
  if (hasOverlongName(body)) {
    return refusal(400, id, ProtocolErrorCode.InvalidParams, 'A name or URI in this message is too long.');
  }
  if (typeof method !== 'string' || !isId(id)) return null;
  const params = fieldsOf(body.params);
  const isModern = typeof fieldsOf(params._meta)[PROTOCOL_VERSION_META_KEY] === 'string';
  // Protocol 2026 has no `initialize`: its clients describe themselves in each request.
  if (method === 'initialize' && isModern) return null;
  // Nothing that can be listed changes, so there are no subscriptions.
  if (method === 'subscriptions/listen' && isModern) {
    return refusal(404, id, ProtocolErrorCode.MethodNotFound, 'Method not found');
  }
  const schema = isKnown(method) ? SCHEMAS[method] : specTypeSchemas.Request;
  const { issues } = await schema['~standard'].validate(body);
  if (issues !== undefined) {
    const problems = issues
      .slice(0, MAX_PROBLEMS_NAMED)
      .map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`);
    const message = `The parameters of ${method} are not valid. ${problems.join('; ')}`;
    // Parameters that are not an object violate the protocol (400). All others are errors of the
    // method (200).
    const status = !('params' in body) || isObject(body.params) ? 200 : 400;
    return refusal(status, id, ProtocolErrorCode.InvalidParams, message);
  }
  const unknown = unknownName(method, params);
  return unknown === null ? null : refusal(200, id, ProtocolErrorCode.InvalidParams, unknown);
}

/** Returns the JSON-RPC error for a body that cannot be read; null for any other error. */
export function unreadableBody(error: unknown): Refusal | null {
  if (error instanceof AppError && error.code === 'malformed') return invalidRequest(error.detail);
  if (!(error instanceof errorCodes.FST_ERR_CTP_INVALID_JSON_BODY)) return null;
  return refusal(400, null, ProtocolErrorCode.ParseError, 'The body is not valid JSON.');
}

function invalidRequest(detail: string): Refusal {
  return refusal(400, null, ProtocolErrorCode.InvalidRequest, detail);
}

function refusal(status: number, id: unknown, code: number, message: string): Refusal {
  return { status, message: { jsonrpc: '2.0', id: isId(id) ? id : null, error: { code, message } } };
}

/**
 * Returns a sentence if a name does not exist but is one that every object has, such as
 * `constructor`: the library looks names up in plain objects. Also for unknown arguments to
 * complete.
 */
function unknownName(method: string, params: Fields): string | null {
  const ref = fieldsOf(params.ref);
  switch (method) {
    case 'tools/call':
      return isInherited(params.name) ? `Tool ${params.name} not found` : null;
    case 'prompts/get':
      return isInherited(params.name) ? `Prompt ${params.name} not found` : null;
    case 'completion/complete': {
      if (isInherited(ref.name)) return `Prompt ${ref.name} not found`;
      if (isInherited(ref.uri)) return `Resource template ${ref.uri} not found`;
      const names = PROMPT_ARGUMENTS.get(String(ref.name)) ?? TEMPLATE_VARIABLES.get(String(ref.uri));
      const { name } = fieldsOf(params.argument);
      if (names === undefined || names.includes(String(name))) return null;
      return `Unknown argument. Available: ${names.join(', ')}.`;
    }
    default:
      return null;
  }
}

function isInherited(name: unknown): name is string {
  return typeof name === 'string' && name in Object.prototype;
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isKnown(method: string): method is keyof typeof SCHEMAS {
  return Object.hasOwn(SCHEMAS, method);
}
