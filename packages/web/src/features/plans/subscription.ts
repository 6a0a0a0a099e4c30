import { SELF_HOSTED, type Subscription, subscription } from '@winnow/contract/plan';
import type { Api } from '../../api/session/api-client.ts';
import { ApiError } from '../../api/session/api-error.ts';

/**
 * Reads the subscription of the account. Returns null without a subscription. Throws `ApiError` if
 * the request fails.
 */
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

/** True if this installation sells plans; false while loading. */
export function isSold(current: Subscription | null | undefined): boolean {
  return current !== undefined && current?.status !== SELF_HOSTED;
}

/** True if the account has a Stripe subscription, whether paid or not. */
export function isBilled(current: Subscription | null | undefined): current is Subscription {
  return current !== null && isSold(current);
}
