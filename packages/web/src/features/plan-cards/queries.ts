import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type CheckoutRequest,
  type Plan,
  planList,
  portalAnswer,
  subscriptionStatus,
  subscriptionSynced,
} from '@winnow/contract/plan';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { safeHref } from '../../api/safe-href.ts';
import { api } from '../../api/session/session.ts';
import { checkOut } from '../plans/checkout.ts';
import { leavePage } from '../plans/leave-page.ts';
import { readSubscription } from '../plans/subscription.ts';
import { FREE } from '../plans/texts.ts';
import { NoAddress } from './plan-texts.ts';

/** What the account is on; null where it pays for nothing. */
export const subscriptionOptions = queryOptions({
  queryKey: queryKeys.plans.subscription(),
  queryFn: ({ signal }) => readSubscription(api, { signal }),
});

export const plansOptions = queryOptions({
  queryKey: queryKeys.plans.list(),
  queryFn: ({ signal }) => api('GET', '/billing/plans', { schema: planList, signal }),
});

/** Plans that were made for this account alone. */
export const customPlansOptions = queryOptions({
  queryKey: queryKeys.plans.custom(),
  queryFn: ({ signal }) => api('GET', '/billing/custom-plans', { schema: planList, signal }),
});

/** Has the server ask Stripe once; when it cannot, what it knows is shown all the same. */
export function useSyncedSubscription() {
  const synced = useQuery({
    queryKey: queryKeys.billingSync,
    queryFn: ({ signal }) =>
      api('POST', '/billing/sync-subscription', { schema: subscriptionSynced, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const current = useQuery({ ...subscriptionOptions, enabled: !synced.isPending });
  return { synced, current };
}

/**
 * Whether the account's plan has something, and which plans for everybody do; `isIncluded` is undefined while that is not
 * known, and on a plan made for one account.
 */
export function usePlanFeature(feature: OptionalFeature): {
  isIncluded: boolean | undefined;
  comesWith: string[];
} {
  const { data: plans = [] } = useQuery(plansOptions);
  const { data: current } = useQuery(subscriptionOptions);
  const isGiven = current != null && subscriptionStatus(current.status).givesPlan;
  const planId = current === undefined ? undefined : isGiven ? current.plan_id : FREE;
  return {
    isIncluded: plans.find(({ id }) => id === planId)?.features[feature],
    comesWith: plans.filter(({ features }) => features[feature]).map(({ name }) => name),
  };
}

/** What a plan has or has not. */
type OptionalFeature = {
  [Feature in keyof Plan['features']]: Plan['features'][Feature] extends boolean ? Feature : never;
}[keyof Plan['features']];

/**
 * Leads to the payment page, or has the plan changed at once. Reads everything about it anew then, and when the browser
 * brings back the page that was left for the payment.
 */
export function useCheckout() {
  const cache = useQueryClient();
  return useOneAtATime(
    useMutation({
      mutationFn: (request: CheckoutRequest) => checkOut(api, request),
      onSuccess: async (next) => {
        if (next.to === 'payment') await leavePage(next.address);
        await Promise.all([
          cache.invalidateQueries({ queryKey: queryKeys.plans.all }),
          cache.invalidateQueries({ queryKey: queryKeys.usage.all }),
        ]);
      },
    }),
  );
}

/** Cancels a change of plan that waits for its payment. What is known of the plan is read again, also when that fails. */
export function useCancelWaiting() {
  const cache = useQueryClient();
  return useOneAtATime(
    useMutation({
      mutationFn: () => api('POST', '/billing/cancel-waiting-change', { schema: subscriptionSynced }),
      onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.plans.all }),
    }),
  );
}

/** Leads to Stripe's own pages, which lead back to where one is. */
export function usePortal() {
  return useOneAtATime(
    useMutation({
      mutationFn: async () => {
        const { url } = await api('POST', '/billing/create-portal-session', {
          body: { return_url: window.location.href },
          schema: portalAnswer,
        });
        const address = safeHref(url);
        if (address === null) throw new NoAddress();
        await leavePage(address);
      },
    }),
  );
}
