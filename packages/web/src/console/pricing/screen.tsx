import { SegmentedControl } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type BillingInterval, planList, SELF_HOSTED, subscription } from '@winnow/contract/plan';
import { useState } from 'react';
import { queryKeys } from '../../app/query-keys.ts';
import { sentenceOf } from '../../app/session/api-error.ts';
import { api } from '../../app/session/session.ts';
import { startCheckout } from '../../plans/checkout.ts';
import { freeFirst } from '../../plans/texts.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormMessage } from '../../ui/form-message.tsx';
import { Page } from '../../ui/page.tsx';
import { PlanCard, PlanCardSkeleton } from './plan-card.tsx';
import classes from './screen.module.css';

const NO_PAYMENTS =
  'This installation takes no payments. Whoever runs it decides which plan it is on; ask them for another one.';

/** What each plan costs and allows, for somebody who is signed in. */
export function PricingScreen() {
  const [interval, setInterval] = useState<BillingInterval>('month');
  const plans = useQuery({
    queryKey: queryKeys.plans.list(),
    queryFn: ({ signal }) => api('GET', '/billing/plans', { schema: planList, signal }),
    select: freeFirst,
  });
  const current = useQuery({
    queryKey: queryKeys.plans.subscription(),
    queryFn: ({ signal }) => api('GET', '/billing/subscription', { schema: subscription, signal }),
  });
  const isSold = current.data !== undefined && current.data.status !== SELF_HOSTED;
  const checkout = useMutation({
    mutationFn: (plan_id: string) => startCheckout(api, { plan_id, interval }),
    onSuccess: (address) => {
      if (address !== null) window.location.assign(address);
    },
  });
  return (
    <Page>
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
        {checkout.isError ? (
          <FormMessage tone="danger">
            {sentenceOf(checkout.error, 'Failed to process subscription change.')}
          </FormMessage>
        ) : null}
        {current.data?.status === SELF_HOSTED ? <p className={classes.note}>{NO_PAYMENTS}</p> : null}
      </div>
      {plans.isError ? (
        <ErrorState
          error={plans.error}
          title="Failed to load pricing plans."
          onRetry={() => void plans.refetch()}
          retrying={plans.isFetching}
        />
      ) : (
        <ul className={classes.cards} aria-label="Plans">
          {plans.data === undefined ? (
            <PlanCardSkeleton />
          ) : (
            plans.data.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                interval={interval}
                isCurrent={plan.id === current.data?.plan_id}
                isSold={isSold}
                isBusy={checkout.isPending && checkout.variables === plan.id}
                isDisabled={checkout.isPending}
                onCheckOut={() => checkout.mutate(plan.id)}
              />
            ))
          )}
        </ul>
      )}
    </Page>
  );
}
