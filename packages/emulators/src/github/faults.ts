import { numbers } from '../http/fault-input.ts';
import type { HostFaultAction, Incoming, Outgoing, OwnFaults } from '../http/host.ts';
import type { JsonObject } from '../http/json.ts';
import { primaryLimitError, secondaryLimitError } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import type { Store } from './store.ts';

/** The two kinds of rate limit errors that GitHub returns, with their texts and headers. */
export type GitHubLimitAction =
  | { kind: 'secondary-limit'; retryAfterSeconds?: number; status?: 403 | 429 }
  | { kind: 'primary-limit'; resetInSeconds?: number; status?: 403 | 429 };

export type GitHubFaultAction = HostFaultAction<GitHubLimitAction>;

/** Returns the kinds of faults that only the GitHub emulator supports. */
export function limitFaults(store: Store): OwnFaults<GitHubLimitAction> {
  return {
    kinds: ['secondary-limit', 'primary-limit'],
    read: readLimit,
    answer: (action, usual, incoming) => limited(store, action, usual, incoming),
  };
}

function readLimit(action: JsonObject): GitHubLimitAction {
  return action.kind === 'secondary-limit'
    ? { kind: 'secondary-limit', ...numbers(action, ['retryAfterSeconds']), ...limitStatus(action) }
    : { kind: 'primary-limit', ...numbers(action, ['resetInSeconds']), ...limitStatus(action) };
}

function limitStatus(action: JsonObject): { status?: 403 | 429 } {
  if (action.status === undefined) return {};
  if (action.status === 403 || action.status === 429) return { status: action.status };
  throw new Error('The "status" of a rate limit must be 403 or 429.');
}

function limited(store: Store, action: GitHubLimitAction, usual: Outgoing, incoming: Incoming): Outgoing {
  const nowMs = store.now();
  const at = `${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const requestId = requestIdOf(incoming);
  const { status = 403 } = action;
  if (action.kind === 'secondary-limit') {
    const error = secondaryLimitError(status, action.retryAfterSeconds, requestId, at);
    return {
      ...usual,
      status: error.status,
      headers: { ...usual.headers, ...error.headers },
      body: JSON.stringify(error.body),
    };
  }
  const userId = usual.login === null ? 0 : store.account(usual.login).id;
  const error = primaryLimitError(status, userId, requestId, at);
  const limit = usual.headers['x-ratelimit-limit'] ?? '5000';
  const headers = {
    ...usual.headers,
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': '0',
    'x-ratelimit-used': limit,
    'x-ratelimit-reset': String(Math.ceil(nowMs / 1000) + (action.resetInSeconds ?? 3600)),
    'x-ratelimit-resource': 'core',
  };
  return { ...usual, status: error.status, headers, body: JSON.stringify(error.body) };
}
