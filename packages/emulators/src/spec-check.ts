import { readFile } from 'node:fs/promises';
import addFormats from 'ajv-formats';
import { type Document, OpenAPIBackend } from 'openapi-backend';

/** An API with a published API description. */
export type DescribedApi = 'github' | 'jira';

interface SpecRequest {
  method: string;
  /** Path below the API root, without the query. */
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

interface SpecResponse {
  method: string;
  path: string;
  status: number;
  body: unknown;
}

interface SpecResult {
  /**
   * Operation id in the API description. Null if the description does not contain the request. It
   * is then not compared.
   */
  operation: string | null;
  /**
   * False if the description does not contain the status of the response. It is then not compared.
   */
  documented: boolean;
  /** One sentence per deviation from the description. */
  errors: string[];
}

export interface SpecCheck {
  checkRequest(request: SpecRequest): SpecResult;
  checkResponse(response: SpecResponse): SpecResult;
}

const besideCheckout = new URL('../../../../shared/specs/', import.meta.url);

/**
 * Loads an API description and returns the check. If the folder with the descriptions does not
 * exist, returns null and writes a line to standard error. Compares only formats: descriptions do
 * not contain permissions, defaults and side effects.
 * @throws {Error} if the description is unusable or accepts a request known to be invalid
 */
export async function loadSpecCheck(
  api: DescribedApi,
  folder: URL = besideCheckout,
): Promise<SpecCheck | null> {
  const text = await readIfThere(new URL(`${api}.json`, folder));
  if (text === null) {
    process.stderr.write(
      `No API description ${new URL(`${api}.json`, folder).pathname}: ${api} messages are not checked.\n`,
    );
    return null;
  }
  const definition: Document = JSON.parse(text);
  const backend = new OpenAPIBackend({
    definition,
    quick: true,
    ajvOpts: { strict: false, logger: false, allErrors: true },
    customizeAjv: (ajv) => addFormats.default(ajv),
  });
  await backend.init();
  const check = over(backend, definition);
  proveItRejects(api, check);
  return check;
}

async function readIfThere(file: URL): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function over(backend: OpenAPIBackend, definition: Document): SpecCheck {
  const find = (method: string, path: string) =>
    backend.matchOperation({ method: method === 'HEAD' ? 'GET' : method, path, headers: {} });
  return {
    checkRequest({ method, path, query = {}, headers = {}, body }) {
      const operation = find(method, path);
      if (!operation?.operationId) return { operation: null, documented: false, errors: [] };
      const known = {
        method,
        path,
        query,
        headers: body === undefined ? headers : { ...headers, ...json },
        body,
      };
      const result = backend.validateRequest(known, operation);
      return { operation: operation.operationId, documented: true, errors: sentences(result.errors) };
    },
    checkResponse({ method, path, status, body }) {
      const operation = find(method, path);
      if (!operation?.operationId) return { operation: null, documented: false, errors: [] };
      const documented = operation.responses?.[String(status)] !== undefined;
      const id = operation.operationId;
      if (!documented) return { operation: id, documented, errors: [] };
      if (!hasBody(definition, operation.responses?.[String(status)])) {
        const errors =
          body === null || body === undefined || status >= 300
            ? []
            : [`A response with status ${status} must not have a body.`];
        return { operation: id, documented, errors };
      }
      return {
        operation: id,
        documented,
        errors: sentences(backend.validateResponse(body, id, status).errors),
      };
    },
  };
}

const json = { 'content-type': 'application/json' };

/** True if the response has a JSON body according to the API description. Follows references. */
function hasBody(definition: Document, response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false;
  if ('$ref' in response && typeof response.$ref === 'string') {
    let target: unknown = definition;
    for (const part of response.$ref.split('/').slice(1)) {
      target = typeof target === 'object' && target !== null ? Reflect.get(target, part) : undefined;
    }
    return hasBody(definition, target);
  }
  return 'content' in response;
}

interface SchemaError {
  instancePath: string;
  message?: string | undefined;
  params?: unknown;
}

function sentences(errors: readonly SchemaError[] | null | undefined): string[] {
  return (errors ?? []).map(
    (error) =>
      `${error.instancePath || '(root)'} ${error.message ?? 'is wrong'} ${JSON.stringify(error.params)}`,
  );
}

/**
 * Checks that the check rejects a request known to be invalid. If the description was compiled
 * incorrectly, everything could be accepted.
 */
function proveItRejects(api: DescribedApi, check: SpecCheck): void {
  const bad: Record<DescribedApi, SpecRequest> = {
    github: { method: 'POST', path: '/repos/a/b/issues', body: { body: 1 } },
    jira: { method: 'POST', path: '/rest/api/3/search/jql', body: { jql: 5 } },
  };
  if (check.checkRequest(bad[api]).errors.length === 0) {
    throw new Error(
      `The API description of ${api} accepts an invalid request. It was not compiled correctly.`,
    );
  }
}
