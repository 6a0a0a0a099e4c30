import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { BillingInterval, Plan, Subscription } from '@winnow/contract/plan';
import { Badge } from '../../theme/parts/badge.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { FeatureValue } from '../plans/feature-value.tsx';
import { FEATURE_ROWS } from '../plans/plan-features.ts';
import { badgeOf, callToAction, monthlyOfYear, priceText } from '../plans/price-texts.ts';
import { isBilled, isSold } from '../plans/subscription.ts';
import { KeepPlan } from './keep-plan.tsx';
import classes from './plan-card.module.css';
import { planRelation, switchLabel } from './plan-texts.ts';

export interface PlanCardProps {
  plan: Plan;
  interval: BillingInterval;
  /** The current subscription. Undefined while loading; null for the Free plan. */
  current: Subscription | null | undefined;
  /** Scheduled change of the current plan, in a sentence; null if none is scheduled. */
  coming: string | null;
  isBusy: boolean;
  isDisabled: boolean;
  onCheckOut: () => void;
  /** Opens the page on which a paid subscription can be canceled. */
  onLeavePaid: () => void;
}

/** A plan with its price, its features and a button that changes to it. */
export function PlanCard({
  plan,
  interval,
  current,
  coming,
  isBusy,
  isDisabled,
  onCheckOut,
  onLeavePaid,
}: PlanCardProps) {
  const relation = planRelation(plan, interval, current);
  const { label, leadsTo } = callToAction(plan, interval);
  const badge = badgeOf(plan);
  const isSoldHere = isSold(current);
  const own = (
    <p className={classes.note}>
      <IconCheck size={16} stroke={1.75} aria-hidden />
      Your plan
    </p>
  );
  return (
    <li className={classes.card}>
      <h2 className={classes.name}>
        {plan.name}
        {badge === null ? null : <Badge tone={plan.id === 'ultra' ? 'accent' : 'neutral'}>{badge}</Badge>}
      </h2>
      <div className={classes.line}>
        <p className={classes.price}>{priceText(plan, interval)}</p>
        {isSoldHere || relation.is !== 'current' ? null : own}
      </div>
      <p className={classes.monthly}>{interval === 'year' ? monthlyOfYear(plan) : null}</p>
      {isSoldHere ? (
        <div className={classes.way}>
          {relation.is === 'current' ? (
            <>
              {own}
              {coming === null ? null : <p className={classes.note}>{coming}</p>}
              <KeepPlan current={current ?? null} plan={plan} />
            </>
          ) : relation.is === 'coming' ? (
            <p className={classes.note}>{relation.text}</p>
          ) : leadsTo === null ? (
            <p className={classes.note}>{label}</p>
          ) : leadsTo === 'checkout' ? (
            <Button variant="filled" loading={isBusy} disabled={isDisabled && !isBusy} onClick={onCheckOut}>
              {relation.is === 'other interval' ? switchLabel(interval) : label}
            </Button>
          ) : leadsTo === '/request-demo' ? (
            <Button component="a" href={leadsTo}>
              {label}
            </Button>
          ) : isBilled(current) && !current.cancel_at_period_end ? (
            <Button disabled={isDisabled} onClick={onLeavePaid}>
              Cancel in Stripe
            </Button>
          ) : null}
        </div>
      ) : null}
      <dl className={classes.features}>
        {FEATURE_ROWS.map(({ feature, label: name }) => (
          <div key={feature}>
            <dt>{name}</dt>
            <dd>
              <FeatureValue value={plan.features[feature]} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Placeholder while the plans load. */
export function PlanCardSkeleton() {
  return (
    <li className={classes.card}>
      <Loading label="Loading plans…">
        <TextSkeleton width={90} height={20} />
        <TextSkeleton width={120} height={32} />
        <TextSkeleton width="100%" height={180} />
      </Loading>
    </li>
  );
}
