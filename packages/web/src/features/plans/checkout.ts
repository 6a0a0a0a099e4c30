import { type CheckoutRequest, checkoutAnswer } from '@winnow/contract/plan';
import { safeHref } from '../../api/safe-href.ts';
import type { Api } from '../../api/session/api-client.ts';
import { ApiError } from '../../api/session/api-error.ts';

/**
 * Result of requesting a plan: the address of a payment page, a changed plan, or nothing if billing
 * is off.
 */
export type CheckoutResult = { to: 'payment'; address: string } | { to: 'plan' } | { to: 'nothing' };

/** Requests a plan. Throws `ApiError` if the request fails. */
export async function checkOut(api: Api, request: CheckoutRequest): Promise<CheckoutResult> {
  try {
    const answer = await api('POST', '/billing/create-checkout-session', {
      body: request,
      schema: checkoutAnswer,
    });
    return answer.action === 'refresh' ? { to: 'plan' } : { to: 'payment', address: paymentPage(answer.url) };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'billing_off') return { to: 'nothing' };
    throw error;
  }
}

function paymentPage(url: string): string {
  const address = safeHref(url);
  if (address === null) throw new Error('The server returned no payment page.');
  return address;
}
