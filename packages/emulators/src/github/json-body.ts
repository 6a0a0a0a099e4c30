import { isObject, type JsonObject } from '../http/json.ts';
import { GitHubError, invalidRequest } from './github-error.ts';

/**
 * Reads a request body. No body at all counts as an empty object, as on GitHub.
 *
 * @throws GitHubError 400 when the text is not a JSON object
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

/** A string field, undefined when absent. @throws GitHubError 422 for another type; null is one unless `nullable` */
export function optionalText(body: JsonObject, field: string): string | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  throw invalidRequest(`For 'properties/${field}', ${describe(value)} is not a string.`);
}

/** Like `optionalText`, and null passes. */
export function nullableText(body: JsonObject, field: string): string | null | undefined {
  return body[field] === null ? null : optionalText(body, field);
}

/** @throws GitHubError 422 when the field is absent or not a string */
export function requiredText(body: JsonObject, field: string): string {
  const value = optionalText(body, field);
  if (value === undefined) throw invalidRequest(`"${field}" wasn't supplied.`);
  return value;
}

/** A field with a closed set of values. @throws GitHubError 422 for any other */
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

/** An integer field, undefined when absent. @throws GitHubError 422 for another type */
export function optionalInteger(body: JsonObject, field: string): number | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw invalidRequest(`For 'properties/${field}', ${describe(value)} is not an integer.`);
}

/**
 * A list of names, each a string or an object that holds the name under `key`; undefined when absent.
 *
 * @throws GitHubError 422 for anything else
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
