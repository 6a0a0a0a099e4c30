import { type ChangeRecord, idempotencyKeyOf } from '../changes/index.ts';

/**
 * Returns the prefix of all request names of an execution. A request name is the idempotency key of
 * a request to the ledger.
 */
export function requestNamePrefix(executionId: string): string {
  return `${executionId}:`;
}

/**
 * Returns the name of a request to the ledger. The ledger performs requests with the same name only
 * once.
 *
 * `request` identifies the call within the execution, across attempts. It must not contain a space.
 * `label` is the name of the tool.
 */
export function requestName(executionId: string, request: string, label: string): string {
  return `${requestNamePrefix(executionId)}${request} ${label}`;
}

/** Returns the tool name from the name of a request. */
export function labelOfRequest(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

/** True if the execution requested the change, in this attempt or an earlier one. */
export function isRequestedBy(executionId: string, change: ChangeRecord['change']): boolean {
  return idempotencyKeyOf(change)?.startsWith(requestNamePrefix(executionId)) ?? false;
}
