import { readdir, readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Exchange } from '../http/host.ts';
import { isObject } from '../http/json.ts';

/**
 * Compares a response with the schema that GitLab's own tests use. Returns one sentence per
 * deviation. Requests have no schema. Skips responses of 4xx, and responses that a fault produced.
 */
export type SchemaCheck = (exchange: Exchange) => string[];

const besideCheckout = new URL('../../../../../shared/specs/gitlab/', import.meta.url);
const v4 = 'spec/fixtures/api/schemas/public_api/v4/';

/**
 * Schemas by path. The first entry that matches applies. With `isList`, each entry of the response
 * is checked.
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
 * Returns a checker of responses. If the folder with schemas is not next to the checkout, returns
 * null and prints a line to standard error.
 * @throws {Error} if a schema is unusable or accepts a known invalid response
 */
export async function loadSchemaCheck(folder: URL = besideCheckout): Promise<SchemaCheck | null> {
  const files = await filesIn(folder);
  if (files === null) {
    process.stderr.write(`No API schemas in ${folder.pathname}: gitlab messages are not checked.\n`);
    return null;
  }
  // Formats are not validated, because the schemas label plain dates as `date-time`.
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
      if (!validate || validate({})) throw new Error(`The GitLab schema ${schema} rejects nothing.`);
      return [schema, validate] as const;
    }),
  );
  return (exchange) => faultsOf(compiled, exchange);
}

/**
 * Parses a schema and corrects it. Replaces the invalid type `"string "`. Permits additional
 * properties of projects, because the schema describes only their short form.
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
  // If the schema describes the entries of a list, check each entry. Otherwise check the whole
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
