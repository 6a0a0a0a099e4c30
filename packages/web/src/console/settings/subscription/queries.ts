import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type BillingInterval,
  planList,
  portalAnswer,
  SELF_HOSTED,
  subscription,
  subscriptionSynced,
} from '@winnow/contract/plan';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { queryKeys } from '../../../app/query-keys.ts';
import { ApiError } from '../../../app/session/api-error.ts';
import { api } from '../../../app/session/session.ts';
import { checkOut } from '../../../plans/checkout.ts';
import { safeHref } from '../../../ui/safe-href.ts';

/** What the account is on; null where it pays for nothing. */
export const subscriptionOptions = queryOptions({
  queryKey: queryKeys.plans.subscription(),
  queryFn: async ({ signal }) => {
    try {
      return await api('GET', '/billing/subscription', { schema: subscription, signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
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

/** Whether plans can be bought here; false until it is known. */
export function isSold(current: { status: string } | null | undefined): boolean {
  return current !== undefined && current?.status !== SELF_HOSTED;
}

/** Leads to the payment page, or has the plan changed at once and reads everything about it anew. */
export function useCheckout() {
  const cache = useQueryClient();
  return useOneAtATime(
    useMutation({
      mutationFn: (request: { plan_id: string; interval: BillingInterval }) => checkOut(api, request),
      onSuccess: async (next) => {
        if (next.to === 'payment') return leave(next.address);
        await Promise.all([
          cache.invalidateQueries({ queryKey: queryKeys.plans.all }),
          cache.invalidateQueries({ queryKey: queryKeys.usage.all }),
        ]);
      },
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
        return leave(address);
      },
    }),
  );
}

/** The server named no page that a browser may be sent to. */
export class NoAddress extends Error {}

/** The page goes away; what asked for it goes on waiting until then. */
function leave(address: string): Promise<never> {
  window.location.assign(address);
  return new Promise(() => undefined);
}
