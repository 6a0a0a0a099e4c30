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
/** Maximum number of problems that an error lists. */
const MAX_PROBLEMS_NAMED = 5;

/** A JSON-RPC error, with the HTTP status of its response. */
export interface Refusal {
  status: number;
  message: object;
}

type Fields = Record<string, unknown>;

/**
 * Returns the JSON-RPC error for an invalid message that the protocol library would handle wrongly.
 * Null for any other message. The library reports many errors of callers as internal errors.
 */
export async function refusalOf(body: unknown): Promise<Refusal | null> {
  // A request must contain a single call, so that it counts once against the limits of the API key.
  if (Array.isArray(body)) return invalidRequest('Send one message at a time, not an array.');
  if (!isObject(body)) return null;
  const { method, id } = body;
  if (hasOverlongName(body)) {
    return refusal(400, id, ProtocolErrorCode.InvalidParams, 'A name or URI in this message is too long.');
  }
  if (typeof method !== 'string' || !isId(id)) return null;
  const params = fieldsOf(body.params);
  const isModern = typeof fieldsOf(params._meta)[PROTOCOL_VERSION_META_KEY] === 'string';
  // Protocol version 2026 has no `initialize`: clients describe themselves in each request.
  if (method === 'initialize' && isModern) return null;
  // Lists do not change during a connection, so subscriptions are not supported.
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
    // The protocol requires status 400 if `params` is not an object. Other faults are errors of the
    // method and are sent with status 200.
    const status = !('params' in body) || isObject(body.params) ? 200 : 400;
    return refusal(status, id, ProtocolErrorCode.InvalidParams, message);
  }
  const unknown = unknownName(method, params);
  return unknown === null ? null : refusal(200, id, ProtocolErrorCode.InvalidParams, unknown);
}

/**
 * Returns the JSON-RPC error for a request body that cannot be parsed. Null for any other error.
 */
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
 * Returns an error sentence if a name equals an inherited property of objects, such as
 * `constructor`. The library looks up names in plain objects and would find such a property. Also
 * checks the argument names of `completion/complete`. Null if all names are valid.
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
