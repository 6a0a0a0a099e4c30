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
import { FREE } from '../plans/price-texts.ts';
import { readSubscription } from '../plans/subscription.ts';
import { NoAddress } from './plan-texts.ts';

/** Query for the subscription of the account; null without a subscription. */
export const subscriptionOptions = queryOptions({
  queryKey: queryKeys.plans.subscription(),
  queryFn: ({ signal }) => readSubscription(api, { signal }),
});

export const plansOptions = queryOptions({
  queryKey: queryKeys.plans.list(),
  queryFn: ({ signal }) => api('GET', '/billing/plans', { schema: planList, signal }),
});

/** Query for custom plans, which are offered only to this account. */
export const customPlansOptions = queryOptions({
  queryKey: queryKeys.plans.custom(),
  queryFn: ({ signal }) => api('GET', '/billing/custom-plans', { schema: planList, signal }),
});

/**
 * Requests once that the server synchronizes the subscription with Stripe. If this fails, returns
 * the stored subscription.
 */
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
 * Returns whether the account's plan includes a feature, and which public plans include it.
 * `isIncluded` is undefined while loading and for custom plans.
 */
export function usePlanFeature(feature: OptionalFeature): {
  isIncluded: boolean | undefined;
  comesWith: string[];
} {
  const { data: plans = [] } = useQuery(plansOptions);
  const { data: current } = useQuery(subscriptionOptions);
  const isGiven = current != null && subscriptionStatus(current.status).grantsPlan;
  const planId = current === undefined ? undefined : isGiven ? current.plan_id : FREE;
  return {
    isIncluded: plans.find(({ id }) => id === planId)?.features[feature],
    comesWith: plans.filter(({ features }) => features[feature]).map(({ name }) => name),
  };
}

/**
 * Names of the features that a plan either includes or does not include. Excludes features with a
 * limit.
 */
type OptionalFeature = {
  [Feature in keyof Plan['features']]: Plan['features'][Feature] extends boolean ? Feature : never;
}[keyof Plan['features']];

/**
 * Opens the payment page or changes the plan directly, then refreshes plans and usage. Also
 * refreshes them if the browser restores this page from its back/forward cache.
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

/** Cancels a plan change that awaits payment. Refreshes the plans even if canceling fails. */
export function useCancelWaiting() {
  const cache = useQueryClient();
  return useOneAtATime(
    useMutation({
      mutationFn: () => api('POST', '/billing/cancel-waiting-change', { schema: subscriptionSynced }),
      onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.plans.all }),
    }),
  );
}

/** Opens the Stripe portal. Its return link leads to the current page. */
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
