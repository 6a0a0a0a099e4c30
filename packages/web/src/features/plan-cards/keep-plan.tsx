import { Button } from '@mantine/core';
import type { Plan, Subscription } from '@winnow/contract/plan';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { showToast } from '../../ui/toasts/toast.tsx';
import type { CheckoutResult } from '../plans/checkout.ts';
import { isBilled } from '../plans/subscription.ts';
import { checkoutFailure } from './plan-texts.ts';
import { useCheckout } from './queries.ts';

export interface KeepPlanProps {
  current: Subscription | null;
  /** The current plan; null if it was deleted. */
  plan: Plan | null;
}

/**
 * Button that revokes a scheduled cancellation or plan change. Renders nothing if nothing is
 * scheduled.
 */
export function KeepPlan({ current, plan }: KeepPlanProps) {
  const keep = useCheckout();
  if (!isBilled(current) || plan === null || current.interval === null) return null;
  if (!current.cancel_at_period_end && current.pending_change === null) return null;
  const request = { plan_id: plan.id, interval: current.interval };
  const confirmKept = ({ to }: CheckoutResult) => {
    if (to !== 'payment') showToast({ id: 'plan', kind: 'done', text: `You keep the ${plan.name} plan.` });
  };
  return (
    <>
      <Button loading={keep.isPending} onClick={() => keep.mutate(request, { onSuccess: confirmKept })}>
        Keep {plan.name}
      </Button>
      {keep.isError ? <FormMessage tone="danger">{checkoutFailure(keep.error)}</FormMessage> : null}
    </>
  );
}
