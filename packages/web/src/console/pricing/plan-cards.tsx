import { SegmentedControl } from '@mantine/core';
import type { BillingInterval, Plan, Subscription } from '@winnow/contract/plan';
import { useState } from 'react';
import { sentenceOf } from '../../app/session/api-error.ts';
import { priceText } from '../../plans/texts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormMessage } from '../../ui/form-message.tsx';
import { showToast } from '../../ui/toast.tsx';
import { isSold, useCheckout, usePortal } from '../settings/subscription/queries.ts';
import { portalFailure } from '../settings/subscription/words.ts';
import { PlanCard } from './plan-card.tsx';
import classes from './screen.module.css';

const NO_PAYMENTS =
  'This installation takes no payments. Whoever runs it decides which plan it is on; ask them for another one.';

export interface PlanCardsProps {
  plans: readonly Plan[];
  /** Undefined while it is not known; null: the Free plan. */
  current: Subscription | null | undefined;
}

/** Plans by month or by year, and the way to each. What is paid already is changed only after it was asked. */
export function PlanCards({ plans, current }: PlanCardsProps) {
  const [interval, setInterval] = useState<BillingInterval>(current?.interval ?? 'month');
  const [wanted, setWanted] = useState<Plan | null>(null);
  const [isAsking, setAsking] = useState(false);
  const checkout = useCheckout();
  const portal = usePortal();
  const isPaying = current != null && isSold(current) && current.interval !== null;
  const get = (plan: Plan) => {
    checkout.reset();
    setWanted(plan);
    if (isPaying) return setAsking(true);
    checkout.mutate({ plan_id: plan.id, interval });
  };
  const change = () => {
    if (wanted === null) return;
    checkout.mutate(
      { plan_id: wanted.id, interval },
      {
        onSuccess: () => {
          setAsking(false);
          showToast({ id: 'plan', kind: 'done', text: `You are on the ${wanted.name} plan now.` });
        },
      },
    );
  };
  return (
    <>
      <div className={classes.head}>
        <SegmentedControl
          aria-label="Billing interval"
          value={interval}
          onChange={setInterval}
          data={[
            { value: 'month', label: 'Monthly' },
            { value: 'year', label: 'Yearly' },
          ]}
        />
        {checkout.isError && !isAsking ? (
          <FormMessage tone="danger">
            {sentenceOf(checkout.error, 'Failed to process subscription change.')}
          </FormMessage>
        ) : null}
        {portal.isError ? <FormMessage tone="danger">{portalFailure(portal.error)}</FormMessage> : null}
        {current !== undefined && !isSold(current) ? <p className={classes.note}>{NO_PAYMENTS}</p> : null}
      </div>
      <ul className={classes.cards} aria-label="Plans">
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            interval={interval}
            isCurrent={current !== undefined && plan.id === (current?.plan_id ?? 'free')}
            isSold={isSold(current)}
            isBusy={checkout.isPending && !isAsking && wanted?.id === plan.id}
            isDisabled={checkout.isPending || portal.isPending}
            onCheckOut={() => get(plan)}
            onLeavePaid={isPaying ? () => portal.mutate() : null}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={isAsking}
        title={`Change to ${wanted?.name ?? ''}`}
        confirmLabel="Change plan"
        pending={checkout.isPending}
        error={checkout.error}
        onClose={() => setAsking(false)}
        onConfirm={change}
      >
        <p style={{ margin: 0 }}>
          The {wanted?.name} plan costs {wanted === null ? '' : priceText(wanted, interval)}. It begins at
          once; what is left of the present period is taken off.
        </p>
      </ConfirmDialog>
    </>
  );
}
