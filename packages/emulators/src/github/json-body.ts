import { isObject, type JsonObject } from '../http/json.ts';
import { GitHubError, invalidRequest } from './github-error.ts';

/**
 * Parses a request body. A missing body counts as an empty object, as on GitHub.
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
 * Returns a string field; undefined if it is missing.
 * @throws {GitHubError} 422 if the value is not a string, even for null
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
 * Returns a required string field.
 * @throws {GitHubError} 422 if the field is missing or not a string
 */
export function requiredText(body: JsonObject, field: string): string {
  const value = optionalText(body, field);
  if (value === undefined) throw invalidRequest(`"${field}" wasn't supplied.`);
  return value;
}

/**
 * Returns a field with a fixed set of values; undefined if it is missing.
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
 * Returns an integer field; undefined if it is missing.
 * @throws {GitHubError} 422 if the value is not an integer
 */
export function optionalInteger(body: JsonObject, field: string): number | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw invalidRequest(`For 'properties/${field}', ${describe(value)} is not an integer.`);
}

/**
 * Returns an array of names; undefined if it is missing. Each entry is a string, or an object with
 * the name in the field `key`.
 * @throws {GitHubError} 422 for any other value
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
