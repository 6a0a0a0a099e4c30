import type { GitHubFault, GitHubFaultAction } from './faults.ts';
import { isObject, type JsonObject } from './json-body.ts';

/**
 * Reads a fault that came over HTTP.
 *
 * @throws Error with a sentence that says which field is wrong
 */
export function parseFault(value: unknown): GitHubFault {
  if (!isObject(value) || !isObject(value.action)) throw new Error('A fault is an object with an "action".');
  const match = value.match;
  if (match !== undefined && !isObject(match))
    throw new Error('"match" is an object with "method" and "path".');
  const method = text(match ?? {}, 'method');
  const path = text(match ?? {}, 'path');
  return {
    ...(match === undefined
      ? {}
      : { match: { ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) } }),
    ...numbers(value, ['skip', 'times', 'every', 'probability', 'seed']),
    action: parseAction(value.action),
  };
}

function parseAction(action: JsonObject): GitHubFaultAction {
  switch (action.kind) {
    case 'status': {
      const headers = textMap(action);
      return {
        kind: 'status',
        status: needed(action, 'status'),
        ...(action.body === undefined ? {} : { body: action.body }),
        ...(headers === undefined ? {} : { headers }),
        ...(action.handled === true ? { handled: true } : {}),
      };
    }
    case 'secondary-limit':
      return { kind: 'secondary-limit', ...numbers(action, ['retryAfterSeconds']), ...limitStatus(action) };
    case 'primary-limit':
      return { kind: 'primary-limit', ...numbers(action, ['resetInSeconds']), ...limitStatus(action) };
    case 'delay':
      return { kind: 'delay', delayMs: needed(action, 'delayMs') };
    case 'drop':
      return { kind: 'drop', when: action.when === 'before' ? 'before' : 'mid-body' };
    case 'malformed':
      return { kind: 'malformed' };
    case 'slow':
      return { kind: 'slow', intervalMs: needed(action, 'intervalMs'), ...numbers(action, ['chunkBytes']) };
    default:
      throw new Error(
        '"action.kind" is one of status, secondary-limit, primary-limit, delay, drop, malformed, slow.',
      );
  }
}

function limitStatus(action: JsonObject): { status?: 403 | 429 } {
  if (action.status === undefined) return {};
  if (action.status === 403 || action.status === 429) return { status: action.status };
  throw new Error('The "status" of a rate limit is 403 or 429.');
}

function text(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  if (value === undefined || typeof value === 'string') return value;
  throw new Error(`"${field}" must be a string.`);
}

function needed(object: JsonObject, field: string): number {
  const value = object[field];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(`"${field}" must be a number.`);
}

function numbers<K extends string>(object: JsonObject, fields: readonly K[]): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const field of fields) if (object[field] !== undefined) found[field] = needed(object, field);
  return found;
}

function textMap(action: JsonObject): Record<string, string> | undefined {
  if (action.headers === undefined) return undefined;
  if (!isObject(action.headers)) throw new Error('"headers" is an object of strings.');
  return Object.fromEntries(Object.entries(action.headers).map(([name, value]) => [name, String(value)]));
}
