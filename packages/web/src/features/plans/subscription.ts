import { SELF_HOSTED, type Subscription, subscription } from '@winnow/contract/plan';
import type { Api } from '../../api/session/api-client.ts';
import { ApiError } from '../../api/session/api-error.ts';

/** What the account is on; null where it pays for nothing. Throws what the call throws. */
export async function readSubscription(
  api: Api,
  options: { signal?: AbortSignal } = {},
): Promise<Subscription | null> {
  try {
    return await api('GET', '/billing/subscription', { ...options, schema: subscription });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Whether plans can be bought here; false until it is known. */
export function isSold(current: Subscription | null | undefined): boolean {
  return current !== undefined && current?.status !== SELF_HOSTED;
}

/** Whether the account has a subscription at Stripe, paid or not. */
export function isBilled(current: Subscription | null | undefined): current is Subscription {
  return current !== null && isSold(current);
}
