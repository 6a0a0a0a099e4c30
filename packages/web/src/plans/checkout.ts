import { type CheckoutRequest, checkoutAnswer } from '@winnow/contract/plan';
import type { Api } from '../app/session/api-client.ts';
import { ApiError } from '../app/session/api-error.ts';
import { safeHref } from '../ui/safe-href.ts';

/**
 * Where whoever wants a plan goes next: to the payment page, to the console when there was nothing to pay; null where
 * this installation takes no payments. Throws what the call throws.
 */
export async function startCheckout(api: Api, request: CheckoutRequest): Promise<string | null> {
  try {
    const answer = await api('POST', '/billing/create-checkout-session', {
      body: request,
      schema: checkoutAnswer,
    });
    return answer.action === 'refresh' ? '/console' : paymentPage(answer.url);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'billing_off') return null;
    throw error;
  }
}

function paymentPage(url: string): string {
  const address = safeHref(url);
  if (address === null) throw new Error('The server named no payment page.');
  return address;
}
