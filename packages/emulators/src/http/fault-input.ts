import type { Fault, FaultAction } from './faults.ts';
import type { HostFaultAction, OwnFaults } from './host.ts';
import { isObject, type JsonObject } from './json.ts';

const commonKinds: readonly string[] = [
  'status',
  'delay',
  'drop',
  'malformed',
  'slow',
] satisfies FaultAction['kind'][];

/**
 * Returns an action as `common` if all emulators support it, and as `own` if only this emulator
 * does. Both fields are null if there is no action.
 */
export function splitAction<Own extends { kind: string }>(
  action: HostFaultAction<Own> | null,
): { common: FaultAction | null; own: Own | null } {
  if (action === null) return { common: null, own: null };
  return isCommon(action) ? { common: action, own: null } : { common: null, own: action };
}

function isCommon(action: { kind: string }): action is FaultAction {
  return commonKinds.includes(action.kind);
}

/**
 * Parses a fault from an HTTP request.
 * @throws {Error} with the name of the invalid field
 */
export function parseFault<Own extends { kind: string }>(
  value: unknown,
  ownFaults: OwnFaults<Own>,
): Fault<HostFaultAction<Own>> {
  if (!isObject(value) || !isObject(value.action))
    throw new Error('A fault must be an object with an "action".');
  const match = value.match;
  if (match !== undefined && !isObject(match))
    throw new Error('"match" must be an object with "method" and "path".');
  const method = text(match ?? {}, 'method');
  const path = text(match ?? {}, 'path');
  return {
    ...(match === undefined
      ? {}
      : { match: { ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) } }),
    ...numbers(value, ['skip', 'times', 'every', 'probability', 'seed']),
    action: parseAction(value.action, ownFaults),
  };
}

function parseAction<Own extends { kind: string }>(
  action: JsonObject,
  ownFaults: OwnFaults<Own>,
): HostFaultAction<Own> {
  const { kind } = action;
  if (ownFaults.kinds.some((own) => own === kind)) return ownFaults.read(action);
  switch (kind) {
    case 'status': {
      const headers = textMap(action);
      return {
        kind,
        status: needed(action, 'status'),
        ...(action.body === undefined ? {} : { body: action.body }),
        ...(headers === undefined ? {} : { headers }),
        ...(action.handled === true ? { handled: true } : {}),
      };
    }
    case 'delay':
      return { kind, delayMs: needed(action, 'delayMs') };
    case 'drop':
      return { kind, when: action.when === 'before' ? 'before' : 'mid-body' };
    case 'malformed':
      return { kind };
    case 'slow':
      return { kind, intervalMs: needed(action, 'intervalMs'), ...numbers(action, ['chunkBytes']) };
    default:
      throw new Error(`"action.kind" must be one of: ${[...commonKinds, ...ownFaults.kinds].join(', ')}.`);
  }
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

/**
 * Returns the given fields, as far as they exist in the object.
 * @throws {Error} if a field is not a number
 */
export function numbers<K extends string>(
  object: JsonObject,
  fields: readonly K[],
): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const field of fields) if (object[field] !== undefined) found[field] = needed(object, field);
  return found;
}

function textMap(action: JsonObject): Record<string, string> | undefined {
  if (action.headers === undefined) return undefined;
  if (!isObject(action.headers)) throw new Error('"headers" must be an object of strings.');
  return Object.fromEntries(Object.entries(action.headers).map(([name, value]) => [name, String(value)]));
}
