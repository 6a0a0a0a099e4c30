import { readdir, readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Exchange } from '../http/host.ts';
import { isObject } from '../http/json.ts';

/**
 * Compares a response with the JSON schema from GitLab's own tests. Returns one sentence per
 * deviation. Requests have no schema. Ignores error responses and responses changed by a fault.
 */
export type SchemaCheck = (exchange: Exchange) => string[];

const besideCheckout = new URL('../../../../../shared/specs/gitlab/', import.meta.url);
const v4 = 'spec/fixtures/api/schemas/public_api/v4/';

/**
 * Schemas by request path. The first matching entry is used. With `isList`, each entry of the
 * response is compared.
 */
const described: readonly { path: RegExp; schema: string; isList?: true; method?: 'GET' | 'POST' }[] = [
  { path: /^\/projects\/[^/]+\/issues$/, schema: 'issue.json', isList: true, method: 'GET' },
  { path: /^\/projects\/[^/]+\/issues(\/\d+)?(\/move)?$/, schema: 'issue.json' },
  { path: /^\/projects\/[^/]+\/issues\/\d+\/links$/, schema: 'issue.json', isList: true, method: 'GET' },
  { path: /^\/projects\/[^/]+\/issues\/\d+\/links(\/\d+)?$/, schema: 'issue_link.json' },
  { path: /\/notes$/, schema: 'notes.json', method: 'GET' },
  { path: /^\/projects\/[^/]+\/merge_requests$/, schema: 'merge_request_simple.json', isList: true },
  { path: /^\/projects\/[^/]+\/merge_requests\/\d+$/, schema: 'merge_request.json' },
  { path: /^\/projects\/[^/]+\/members\/all$/, schema: 'members.json' },
  { path: /^\/(groups|users)\/[^/]+\/projects$/, schema: 'project.json', isList: true },
  { path: /^\/projects\/[^/]+$/, schema: 'project.json' },
  { path: /^\/user$/, schema: 'user/public.json' },
];

/**
 * Loads the schemas and returns the check. If the folder with the schemas does not exist, returns
 * null and writes a line to standard error.
 * @throws {Error} if a schema is unusable or accepts a response known to be invalid
 */
export async function loadSchemaCheck(folder: URL = besideCheckout): Promise<SchemaCheck | null> {
  const files = await filesIn(folder);
  if (files === null) {
    process.stderr.write(`No API schemas in ${folder.pathname}: gitlab messages are not checked.\n`);
    return null;
  }
  // Formats are not validated, because the schemas declare plain dates as `date-time`.
  const ajv = new Ajv({
    strict: false,
    logger: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
  });
  for (const [name, text] of files) ajv.addSchema({ ...fixedSchema(name, text), $id: `file:///${name}` });
  const compiled = new Map(
    described.map(({ schema }) => {
      const validate = ajv.getSchema(`file:///${v4}${schema}`);
      if (!validate || validate({}))
        throw new Error(`The GitLab schema ${schema} accepts an invalid response.`);
      return [schema, validate] as const;
    }),
  );
  return (exchange) => faultsOf(compiled, exchange);
}

/**
 * Parses a schema and fixes it. Replaces the invalid type `"string "`. Permits additional fields of
 * projects, because the schema describes only their short format.
 */
function fixedSchema(name: string, text: string): Record<string, unknown> {
  const schema: unknown = JSON.parse(text.replaceAll('"string "', '"string"'));
  if (!isObject(schema)) throw new Error(`${name} is not a schema.`);
  const { additionalProperties: _, ...open } = schema;
  return name.endsWith('/project.json') ? open : schema;
}

async function filesIn(folder: URL): Promise<[string, string][] | null> {
  let names: string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const schemas = names.filter((name) => name.endsWith('.json'));
  return Promise.all(
    schemas.map(
      async (name): Promise<[string, string]> => [name, await readFile(new URL(name, folder), 'utf8')],
    ),
  );
}

function faultsOf(compiled: ReadonlyMap<string, ValidateFunction>, exchange: Exchange): string[] {
  const { method, path, status, responseBody, fault } = exchange;
  if (fault !== null || status >= 300 || method === 'HEAD' || responseBody === null) return [];
  const entry = described.find((known) => known.path.test(path) && (known.method ?? method) === method);
  const validate = compiled.get(entry?.schema ?? '');
  if (!validate) return [];
  // If the schema describes the entries of a list, compare each entry. Otherwise compare the whole
  // response.
  const values: unknown[] = entry?.isList && Array.isArray(responseBody) ? responseBody : [responseBody];
  return values.flatMap((value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${method} ${path} ${status} ${instancePath || '(root)'} ${message} ${JSON.stringify(params)}`,
        ),
  );
}
