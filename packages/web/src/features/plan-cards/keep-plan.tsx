import { Button } from '@mantine/core';
import type { Plan, Subscription } from '@winnow/contract/plan';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { showToast } from '../../ui/toasts/toast.tsx';
import type { CheckedOut } from '../plans/checkout.ts';
import { isBilled } from '../plans/subscription.ts';
import { checkoutFailure } from './plan-texts.ts';
import { useCheckout } from './queries.ts';

export interface KeepPlanProps {
  current: Subscription | null;
  /** The plan one is on; null where there is no such plan any more. */
  plan: Plan | null;
}

/** Takes back that what is paid ends, or that it changes; nothing where it goes on as it is. */
export function KeepPlan({ current, plan }: KeepPlanProps) {
  const keep = useCheckout();
  if (!isBilled(current) || plan === null || current.interval === null) return null;
  if (!current.cancel_at_period_end && current.pending_change === null) return null;
  const request = { plan_id: plan.id, interval: current.interval };
  const tell = ({ to }: CheckedOut) => {
    if (to !== 'payment') showToast({ id: 'plan', kind: 'done', text: `You keep the ${plan.name} plan.` });
  };
  return (
    <>
      <Button loading={keep.isPending} onClick={() => keep.mutate(request, { onSuccess: tell })}>
        Keep {plan.name}
      </Button>
      {keep.isError ? <FormMessage tone="danger">{checkoutFailure(keep.error)}</FormMessage> : null}
    </>
  );
}
