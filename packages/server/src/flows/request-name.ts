import { type ChangeRecord, idempotencyKeyOf } from '../changes/index.ts';

/** Returns the prefix of all request names of an execution. */
export function requestNamePrefix(executionId: string): string {
  return `${executionId}:`;
}

/**
 * Returns the name of a request to the ledger, which carries out each name only once.
 *
 * `request` distinguishes the calls of an execution across attempts, and contains no space. `label`
 * is the tool.
 */
export function requestName(executionId: string, request: string, label: string): string {
  return `${requestNamePrefix(executionId)}${request} ${label}`;
}

/** Returns the tool of a request. */
export function labelOfRequest(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

/** True if the execution requested the change, in this or an earlier attempt. */
export function isRequestedBy(executionId: string, change: ChangeRecord['change']): boolean {
  return idempotencyKeyOf(change)?.startsWith(requestNamePrefix(executionId)) ?? false;
}
