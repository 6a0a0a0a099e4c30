import { type ErrorCode, factsOfCode } from '@winnow/contract/api/error-codes';
import { exampleOf } from '@winnow/contract/api/examples';
import type { Operation } from '@winnow/contract/api/operation';
import { API_TAGS, OPERATIONS } from '@winnow/contract/api/operations';
import { PARAMETERS } from '@winnow/contract/api/parameters';
import { namedSchemas } from '@winnow/contract/api/schemas';
import { API_KEY_PREFIX, SCOPES } from '@winnow/contract/api-key';
import { errorBody } from '@winnow/contract/error';
import { lowestRoleWith } from '@winnow/contract/role';
import { type Access, permissionOf, scopeOf } from '@winnow/contract/route-access';
import { z } from 'zod';
import { JsonSchemas } from './json-schemas.ts';
import { errorsOf } from './operation-errors.ts';
import type { DescribedRoute } from './routes.ts';

type Json = Record<string, unknown>;

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. Processing continues after this response.',
  204: 'Done. The response has no body.',
};
const DESCRIPTION = `Finds duplicates in the backlogs of issue trackers, scores issues, finds dependencies, and writes to trackers through one ledger.

Send \`Authorization: Bearer\` with an API key (\`${API_KEY_PREFIX}…\`) or with the access token of a signed-in user. The field \`x-lowest-role\` of an operation names the role that a member needs. Lists take \`limit\` and \`skip\`.

An error has a stable \`code\`, a sentence in \`detail\`, and the \`request_id\` to report it by. Every operation lists its codes. A method that a path does not have gets 405 with \`method_not_allowed\` and the header \`Allow\`.

Agents connect to \`/mcp\` with the Model Context Protocol and an API key.`;

/** Returns the OpenAPI 3.1 document for these routes. */
export function describeApi(
  routes: readonly DescribedRoute[],
  { version, publicUrl }: { version: string; publicUrl: string },
): Json {
  const schemas = new JsonSchemas(namedSchemas(), rootsOf(routes));
  const shared = new SharedParts();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operation = OPERATIONS[`${route.method} ${route.url}`];
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeOperation(route, operation, schemas, shared),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Winnow',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ session: [] }],
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The access token of a signed-in user.' },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key with the scope that the operation names: ${Object.keys(SCOPES).join(', ')}. Operations without a scope accept no API key.`,
        },
      },
      parameters: {
        'Winnow-Workspace': {
          name: 'Winnow-Workspace',
          in: 'header',
          required: false,
          description:
            'Id of the workspace that the request concerns. Without it, the personal workspace of the user. An API key belongs to one workspace and needs no header.',
          schema: { type: 'string', format: 'uuid' },
        },
      },
      headers: {
        'X-Total-Count': { description: 'Total number of items in the list.', schema: { type: 'integer' } },
        'Retry-After': {
          description: 'Seconds until a retry makes sense.',
          schema: { type: 'integer' },
        },
      },
      schemas: schemas.components(),
      ...shared.components(),
    },
  };
}

function tagsOf(routes: readonly DescribedRoute[]): Json[] {
  const used = new Set(routes.flatMap(({ tags }) => tags));
  return Object.entries(API_TAGS).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  );
}

function rootsOf(routes: readonly DescribedRoute[]) {
  const input = routes.flatMap(({ schema }) => [
    ...(schema.body === undefined ? [] : [schema.body]),
    ...[schema.params, schema.querystring, schema.headers].flatMap((part) =>
      Object.values(part?.shape ?? {}),
    ),
  ]) as z.ZodType[];
  const output = routes.flatMap(({ responses }) => [...responses.values()].filter((one) => one !== null));
  return { input, output: [...output, errorBody] };
}

/** Reusable examples and error responses, as components of the document. */
class SharedParts {
  readonly #examples: Record<string, Json> = {};
  readonly #responses: Record<string, Json> = {};

  components(): { examples: Json; responses: Json } {
    return { examples: this.#examples, responses: this.#responses };
  }

  /** Returns the `examples` of a request or response body. Empty if the contract has none. */
  example(name: string, value: unknown): { examples?: Json } {
    if (value === undefined) return {};
    this.#examples[name] = { value };
    return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
  }

  /**
   * Returns a reference to the component that describes an error response with one of these codes.
   */
  failure(status: number, codes: readonly ErrorCode[]): Json {
    const name = `Error${status}-${codes.join('.')}`;
    this.#responses[name] ??= this.#describeFailure(status, codes);
    return { $ref: `#/components/responses/${name}` };
  }

  #describeFailure(status: number, codes: readonly ErrorCode[]): Json {
    const examples = codes.map((code) => this.example(`error-${code}`, exampleOfCode(code)).examples);
    const refusesForNow = status === 429 || status === 503;
    return {
      description: codes.map((code) => `\`${code}\`: ${factsOfCode(code).detail}`).join('\n\n'),
      ...(refusesForNow ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } : {}),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/ErrorBody' },
              { type: 'object', properties: { code: { type: 'string', enum: codes } } },
            ],
          },
          examples: Object.assign({}, ...examples),
        },
      },
    };
  }
}

function exampleOfCode(code: ErrorCode): z.input<typeof errorBody> {
  const { detail, field } = factsOfCode(code);
  return {
    detail,
    code,
    ...(field === undefined ? {} : { fields: [{ path: field, message: detail }] }),
    request_id: 'b3f1c7de-5a90-4a8e-9c1b-2f6d7e8a9b17',
  };
}

function describeOperation(
  route: DescribedRoute,
  operation: Operation | undefined,
  schemas: JsonSchemas,
  shared: SharedParts,
): Json {
  const { access, tags, schema } = route;
  const named = operation ?? { id: '', summary: '', description: '' };
  const { role, parameters: ofWorkspace } = workspacePartOf(access);
  const parameters = [
    ...ofWorkspace,
    ...parametersOf(schema.params, 'path', schemas),
    ...parametersOf(schema.querystring, 'query', schemas),
    ...parametersOf(schema.headers, 'header', schemas),
  ];
  const failures = [...errorsOf(route, named)].map(([status, codes]) => [
    status,
    shared.failure(status, codes),
  ]);
  return {
    ...(operation === undefined
      ? {}
      : { operationId: operation.id, summary: operation.summary, description: operation.description }),
    tags,
    security: securityOf(access),
    ...role,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(route, named, schemas, shared),
    responses: { ...successesOf(route, named, schemas, shared), ...Object.fromEntries(failures) },
  };
}

function securityOf(access: Access | undefined): Json[] {
  if (access === undefined) return [];
  const scope = scopeOf(access);
  return scope === null ? [{ session: [] }] : [{ session: [] }, { key: [scope] }];
}

/** Returns the lowest role for an operation, and the parameter that names the workspace. */
function workspacePartOf(access: Access | undefined): { role: Json; parameters: Json[] } {
  const permission = access === undefined ? null : permissionOf(access);
  if (permission === null) return { role: {}, parameters: [] };
  const workspace = { $ref: '#/components/parameters/Winnow-Workspace' };
  return { role: { 'x-lowest-role': lowestRoleWith(permission) }, parameters: [workspace] };
}

function parametersOf(part: z.ZodObject | undefined, place: string, schemas: JsonSchemas): Json[] {
  return Object.entries(part?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(schema, undefined).success,
    ...(PARAMETERS[name] === undefined ? {} : { description: PARAMETERS[name] }),
    schema: schemas.of(schema as z.ZodType, 'input'),
  }));
}

function bodyOf(
  { schema: { body } }: DescribedRoute,
  { takesBytes, id }: Operation,
  schemas: JsonSchemas,
  shared: SharedParts,
): { requestBody?: Json } {
  if (takesBytes) {
    const content = { 'application/json': { schema: { type: 'object', additionalProperties: true } } };
    return { requestBody: { description: 'The event, exactly as it was signed.', required: true, content } };
  }
  if (body === undefined) return {};
  const isRequired = !body.safeParse(undefined).success;
  const media = { schema: schemas.of(body, 'input'), ...shared.example(`${id}-body`, exampleOf(body)) };
  return { requestBody: { required: isRequired, content: { 'application/json': media } } };
}

function successesOf(
  { responses, access }: DescribedRoute,
  { produces, id }: Operation,
  schemas: JsonSchemas,
  shared: SharedParts,
): Json {
  if (produces !== undefined) {
    const isText = (type: string) => type !== 'application/gzip';
    const content = Object.fromEntries(
      produces.map((type) => [type, isText(type) ? { schema: { type: 'string' } } : {}]),
    );
    return { 200: { description: SUCCESS[200], content } };
  }
  return Object.fromEntries(
    [...responses].map(([status, schema]) => {
      const description = SUCCESS[status] ?? 'Success.';
      if (schema === null) return [status, { description }];
      const isList = schema instanceof z.ZodArray && access !== undefined;
      const content = {
        'application/json': {
          schema: schemas.of(schema, 'output'),
          ...shared.example(`${id}-response`, exampleOf(schema)),
        },
      };
      const headers = isList ? { 'X-Total-Count': { $ref: '#/components/headers/X-Total-Count' } } : {};
      return [status, { description, ...(isList ? { headers } : {}), content }];
    }),
  );
}
