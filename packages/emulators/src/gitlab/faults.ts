import { numbers } from '../http/fault-input.ts';
import type { Outgoing, OwnFaults } from '../http/host.ts';
import type { JsonObject } from '../http/json.ts';
import { rateHeaders } from './rate-limit.ts';

/**
 * Simulates status 429. With one of the two fields, it simulates the general rate limit, whose
 * response has a header with the waiting time. Without them, it simulates the limit of an endpoint,
 * whose response has no such header.
 */
export interface GitLabLimitAction {
  kind: 'rate-limit';
  retryAfterSeconds?: number;
  resetInSeconds?: number;
}

/** Returns the kinds of faults that only the GitLab emulator supports. */
export function limitFaults(now: () => number): OwnFaults<GitLabLimitAction> {
  return {
    kinds: ['rate-limit'],
    read: (action: JsonObject) => ({
      kind: 'rate-limit',
      ...numbers(action, ['retryAfterSeconds', 'resetInSeconds']),
    }),
    answer: (action, usual) => limited(action, usual, now()),
  };
}

function limited(action: GitLabLimitAction, usual: Outgoing, nowMs: number): Outgoing {
  const { retryAfterSeconds, resetInSeconds } = action;
  if (retryAfterSeconds === undefined && resetInSeconds === undefined) {
    const message = { error: 'This endpoint has been requested too many times. Try again later.' };
    return { ...usual, status: 429, body: JSON.stringify({ message }) };
  }
  const resetS = Math.ceil(nowMs / 1000) + (resetInSeconds ?? 0);
  const headers = {
    ...usual.headers,
    'content-type': 'text/plain',
    ...(resetInSeconds === undefined
      ? {}
      : rateHeaders({ limit: 2000, observed: 2001, remaining: 0, resetS, nowMs })),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  return { ...usual, status: 429, headers, body: 'Retry later\n' };
}
