import { isObject, type JsonObject } from '../http/json.ts';
import { invalidParameter } from './gitlab-error.ts';

/** Parameters of a request. Like GitLab, combines those of the query and of the body. */
export class Params {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /**
   * Returns a string; undefined if it is missing. Like GitLab, also accepts a number or a boolean.
   * @throws {GitLabError} 400 for an object or an array
   */
  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw invalidParameter(`${name} is invalid`);
  }

  /**
   * Returns a required string.
   * @throws {GitLabError} 400 if it is missing
   */
  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalidParameter(`${name} is missing`);
    return value;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw invalidParameter(`${name} does not have a valid value`);
    return found;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d+$/.test(value)) throw invalidParameter(`${name} is invalid`);
    return Number(value);
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!['true', 'false', '1', '0'].includes(value)) throw invalidParameter(`${name} is invalid`);
    return value === 'true' || value === '1';
  }

  /** Returns a time in milliseconds since 1970; undefined if it is missing. */
  time(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const ms = Date.parse(value);
    if (Number.isNaN(ms)) throw invalidParameter(`${name} is invalid`);
    return ms;
  }

  /**
   * Returns an array of names; undefined if it is missing. Accepts an array or a comma-separated
   * string.
   */
  names(name: string): string[] | undefined {
    const value = this.#values[name];
    const given = Array.isArray(value) ? value.map(String) : this.text(name)?.split(',');
    return given?.map((entry) => entry.trim()).filter((entry) => entry !== '');
  }

  /**
   * Returns an array of integers; undefined if it is missing. Accepts an array or a single integer.
   */
  integers(name: string): number[] | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list
      .filter((entry) => entry !== '')
      .map((entry) => {
        if (!/^\d+$/.test(String(entry))) throw invalidParameter(`${name} is invalid`);
        return Number(entry);
      });
  }
}

/**
 * Parses the parameters of a request.
 * @throws {GitLabError} 400 if the body is not a JSON object
 */
export function readParams(query: URLSearchParams, body: string): Params {
  const values: JsonObject = {};
  for (const [key, value] of query) {
    const array = /^(.+)\[\]$/.exec(key);
    if (array?.[1] === undefined) values[key] = value;
    else values[array[1]] = [...query.getAll(key)];
  }
  if (body.trim() === '') return new Params(values);
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    throw invalidParameter('Problem processing the request: the body is not valid JSON');
  }
  if (!isObject(sent)) throw invalidParameter('The body is not a JSON object');
  return new Params({ ...values, ...sent });
}
