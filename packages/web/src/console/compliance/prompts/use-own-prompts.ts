import { useQuery } from '@tanstack/react-query';
import { planList, subscription } from '@winnow/contract/plan';
import { queryKeys } from '../../../app/query-keys.ts';
import { api } from '../../../app/session/session.ts';

/** Whether the account's plan has prompts of one's own; undefined while that is not known, and on a plan made for one account. */
export function useOwnPrompts(): boolean | undefined {
  const plans = useQuery({
    queryKey: queryKeys.plans.list(),
    queryFn: ({ signal }) => api('GET', '/billing/plans', { schema: planList, signal }),
  });
  const current = useQuery({
    queryKey: queryKeys.plans.subscription(),
    queryFn: ({ signal }) => api('GET', '/billing/subscription', { schema: subscription, signal }),
  });
  const plan = plans.data?.find(({ id }) => id === current.data?.plan_id);
  return plan?.features.custom_compliance_metrics_enabled;
}
