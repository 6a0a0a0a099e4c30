import { isObject, type JsonObject } from '../http/json.ts';
import { listOf } from './objects.ts';
import type { Store } from './store.ts';
import { invalidRequest } from './stripe-error.ts';

/** Statuses of a subscription that ended permanently. */
export const ENDED_STATUSES = ['canceled', 'incomplete_expired'];

/**
 * Returns a copy of a response in which the ids at the given paths are replaced by their objects.
 * @throws {EmulatedStripeError} for a path that cannot be expanded
 */
export function expanded(store: Store, answer: object, paths: readonly string[]): JsonObject {
  const copy: unknown = structuredClone(answer);
  if (!isObject(copy)) throw new Error('A response must be an object.');
  for (const path of paths) expandAt(store, copy, path.split('.'), path);
  return copy;
}

function expandAt(store: Store, object: JsonObject, [name = '', ...rest]: string[], path: string): void {
  if (name === 'subscriptions' && object.object === 'customer' && object.deleted !== true) {
    const id = String(object.id);
    const going = store.subscriptionsOf(id).filter(({ status }) => !ENDED_STATUSES.includes(status));
    object.subscriptions = structuredClone(listOf(`/v1/customers/${id}/subscriptions`, going.reverse()));
  }
  const value = object[name];
  if (typeof value === 'string') object[name] = structuredClone(store.byId(value));
  const next = object[name];
  if (next === undefined && object.deleted !== true) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  if (rest.length === 0) return;
  for (const inner of Array.isArray(next) ? next : [next])
    if (isObject(inner)) expandAt(store, inner, rest, path);
}
