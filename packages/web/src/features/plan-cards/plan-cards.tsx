import { SegmentedControl } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { BillingInterval, CheckoutRequest, Plan, Subscription } from '@winnow/contract/plan';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { showToast } from '../../ui/toasts/toast.tsx';
import { callToAction, INTERVALS } from '../plans/price-texts.ts';
import { isBilled, isSold } from '../plans/subscription.ts';
import { useApiUsage } from '../usage/queries.ts';
import { PlanCard } from './plan-card.tsx';
import classes from './plan-cards.module.css';
import {
  changedText,
  changeQuestion,
  checkoutFailure,
  comingText,
  planRelation,
  portalFailure,
} from './plan-texts.ts';
import { subscriptionOptions, useCheckout, usePortal } from './queries.ts';

const NO_PAYMENTS = 'This installation takes no payments. Ask your administrator to change the plan.';

export interface PlanCardsProps {
  /** Plans that are displayed. */
  plans: readonly Plan[];
  /** All plans, including those that are not displayed. */
  known: readonly Plan[];
  /** The current subscription. Undefined while loading; null for the Free plan. */
  current: Subscription | null | undefined;
  /**
   * Plan that the user requested on another page. If set, the confirmation dialog is open
   * initially.
   */
  asked?: CheckoutRequest | null;
  /** Called when the dialog is confirmed or closed. */
  onAnswered?: () => void;
}

/**
 * The selected plan and the subscription before the change. Both are stored so that the dialog
 * keeps its text while the subscription is refetched.
 */
interface Wanted {
  plan: Plan;
  before: Subscription | null | undefined;
}

const NOTHING = () => undefined;

/** Plans with monthly or yearly prices. Changing a paid plan requires confirmation. */
export function PlanCards({ plans, known, current, asked = null, onAnswered = NOTHING }: PlanCardsProps) {
  const [interval, setInterval] = useState<BillingInterval>(asked?.interval ?? current?.interval ?? 'month');
  const [wanted, setWanted] = useState<Wanted | null>(() => changeOf(asked, plans, current));
  const [isAsking, setAsking] = useState(wanted !== null);
  const cache = useQueryClient();
  const { data: usage } = useApiUsage();
  const checkout = useCheckout();
  const portal = usePortal();
  const get = (plan: Plan) => {
    checkout.reset();
    setWanted({ plan, before: current });
    if (isBilled(current)) return setAsking(true);
    checkout.mutate({ plan_id: plan.id, interval });
  };
  const close = () => {
    setAsking(false);
    onAnswered();
  };
  const change = () => {
    if (wanted === null) return;
    const request = { plan_id: wanted.plan.id, interval };
    checkout.mutate(request, {
      onSuccess: (next) => {
        close();
        if (next.to === 'payment') return;
        const now = cache.getQueryData(subscriptionOptions.queryKey) ?? null;
        showToast({ id: 'plan', kind: 'done', text: changedText(wanted.plan, request, now) });
      },
    });
  };
  const question =
    wanted !== null && isBilled(wanted.before)
      ? changeQuestion({
          current: wanted.before,
          from: known.find(({ id }) => id === wanted.before?.plan_id) ?? null,
          to: wanted.plan,
          interval,
          used: usage?.limits,
        })
      : null;
  return (
    <>
      <div className={classes.head}>
        <SegmentedControl
          aria-label="Billing interval"
          value={interval}
          onChange={setInterval}
          data={INTERVALS}
          classNames={{ label: classes.interval ?? '' }}
        />
        {checkout.isError && !isAsking ? (
          <FormMessage tone="danger">{checkoutFailure(checkout.error)}</FormMessage>
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
            current={current}
            coming={comingText(current, known)}
            isBusy={checkout.isPending && !isAsking && wanted?.plan.id === plan.id}
            isDisabled={checkout.isPending || portal.isPending}
            onCheckOut={() => get(plan)}
            onLeavePaid={() => portal.mutate()}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={isAsking && question !== null}
        title={question?.title ?? ''}
        confirmLabel={question?.confirmLabel ?? ''}
        pending={checkout.isPending}
        onClose={close}
        onConfirm={change}
      >
        <div className={classes.question}>
          {question?.sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {question === null || question.losses.length === 0 ? null : (
            <div>
              <p>You will lose:</p>
              <ul className={classes.losses}>
                {question.losses.map((loss) => (
                  <li key={loss}>{loss}</li>
                ))}
              </ul>
            </div>
          )}
          {checkout.isError ? (
            <FormMessage tone="danger">{checkoutFailure(checkout.error)}</FormMessage>
          ) : null}
        </div>
      </ConfirmDialog>
    </>
  );
}

/** Returns the requested plan if changing to it needs confirmation; otherwise null. */
function changeOf(
  asked: CheckoutRequest | null,
  plans: readonly Plan[],
  current: Subscription | null | undefined,
): Wanted | null {
  const plan = plans.find(({ id }) => id === asked?.plan_id);
  if (asked === null || plan === undefined || !isBilled(current)) return null;
  const { is } = planRelation(plan, asked.interval, current);
  const isOpen = is === 'open' || is === 'other interval';
  const isForSale = callToAction(plan, asked.interval).leadsTo === 'checkout';
  return isOpen && isForSale ? { plan, before: current } : null;
}
