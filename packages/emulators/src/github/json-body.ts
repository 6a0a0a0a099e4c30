import { isObject, type JsonObject } from '../http/json.ts';
import { GitHubError, invalidRequest } from './github-error.ts';

/**
 * Reads a request body. An absent body counts as an empty object, as on GitHub.
 * @throws {GitHubError} 400 if the text is not a JSON object
 */
export function parseJsonObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GitHubError(400, 'Problems parsing JSON');
  }
  if (!isObject(value)) throw new GitHubError(400, 'Body should be a JSON object');
  return value;
}

function describe(value: unknown): string {
  return value === null ? 'nil' : JSON.stringify(value).slice(0, 80);
}

/**
 * Returns a string field; undefined if absent.
 * @throws {GitHubError} 422 for another type, including null
 */
export function optionalText(body: JsonObject, field: string): string | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  throw invalidRequest(`For 'properties/${field}', ${describe(value)} is not a string.`);
}

/** Like `optionalText`, but also accepts null. */
export function nullableText(body: JsonObject, field: string): string | null | undefined {
  return body[field] === null ? null : optionalText(body, field);
}

/**
 * Returns a string field that must be present.
 * @throws {GitHubError} 422 if the field is absent or not a string
 */
export function requiredText(body: JsonObject, field: string): string {
  const value = optionalText(body, field);
  if (value === undefined) throw invalidRequest(`"${field}" wasn't supplied.`);
  return value;
}

/**
 * Returns a field with a fixed set of values.
 * @throws {GitHubError} 422 for any other value
 */
export function optionalChoice<T extends string>(
  body: JsonObject,
  field: string,
  choices: readonly T[],
): T | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw invalidRequest(
      `For 'properties/${field}', ${describe(value)} is not a member of ${JSON.stringify(choices)}.`,
    );
  }
  return found;
}

/**
 * Returns an integer field; undefined if absent.
 * @throws {GitHubError} 422 for another type
 */
export function optionalInteger(body: JsonObject, field: string): number | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw invalidRequest(`For 'properties/${field}', ${describe(value)} is not an integer.`);
}

/**
 * Returns a list of names; undefined if absent. Each entry is a string, or an object with the name
 * under `key`.
 * @throws {GitHubError} 422 for anything else
 */
export function optionalNames(body: JsonObject, field: string, key: string): string[] | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (!Array.isArray(value))
    throw invalidRequest(`For 'properties/${field}', ${describe(value)} is not an array.`);
  return value.map((item: unknown) => {
    const name = isObject(item) ? item[key] : item;
    if (typeof name === 'string') return name;
    throw invalidRequest(`For 'items', ${describe(item)} is not a string.`);
  });
}
