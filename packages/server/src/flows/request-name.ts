import { idempotencyKeyOf } from '../changes/change-request.ts';
import type { ChangeRecord } from '../changes/ledger.ts';

/** What the names of all requests of an execution begin with. */
export function requestsOf(executionId: string): string {
  return `${executionId}:`;
}

/**
 * Names a request of an execution to the ledger, so that nothing is written twice under it. `request` tells the calls of one
 * execution apart, however often it is begun, and has no space in it; `label` is the tool.
 */
export function requestName(executionId: string, request: string, label: string): string {
  return `${requestsOf(executionId)}${request} ${label}`;
}

/** The tool that a request was made with. */
export function labelOfRequest(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

/** Whether an execution has asked for a change, also before it was interrupted. */
export function isRequestedBy(executionId: string, change: ChangeRecord['change']): boolean {
  return idempotencyKeyOf(change)?.startsWith(requestsOf(executionId)) ?? false;
}
