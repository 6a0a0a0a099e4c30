import { type CheckoutRequest, checkoutAnswer } from '@winnow/contract/plan';
import { ApiError } from '../../app/session/api-error.ts';
import { safeHref } from '../../ui/safe-href.ts';
import { loadSession } from '../session/visitor.ts';

/**
 * Where whoever wants a plan goes next: to the payment page, to the console when there was nothing to pay, or to
 * registering where this installation takes no payments. Throws what the call throws.
 */
export async function startCheckout(request: CheckoutRequest): Promise<string> {
  const { api, isSignedIn, publicApi } = await loadSession();
  const call = isSignedIn() ? api : publicApi;
  try {
    const answer = await call('POST', '/billing/create-checkout-session', {
      body: request,
      schema: checkoutAnswer,
    });
    return answer.action === 'refresh' ? '/console' : paymentPage(answer.url);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'billing_off') return '/register';
    throw error;
  }
}

function paymentPage(url: string): string {
  const address = safeHref(url);
  if (address === null) throw new Error('The server named no payment page.');
  return address;
}
