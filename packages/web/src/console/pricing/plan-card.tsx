import { Button } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { BillingInterval, Plan } from '@winnow/contract/plan';
import { FEATURE_ROWS } from '../../plans/plan-features.ts';
import { amountText, badgeOf, callToAction, monthlyOfYear, priceText } from '../../plans/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loading, TextSkeleton } from '../../ui/skeletons.tsx';
import classes from './plan-card.module.css';

export interface PlanCardProps {
  plan: Plan;
  interval: BillingInterval;
  /** The account is on it. */
  isCurrent: boolean;
  /** Plans can be bought here. */
  isSold: boolean;
  isBusy: boolean;
  isDisabled: boolean;
  onCheckOut: () => void;
  /** Leads whoever pays for a plan to where it is ended; null for who pays for none. */
  onLeavePaid: (() => void) | null;
}

/** One plan: what it costs, what it allows, and the way to it. */
export function PlanCard({
  plan,
  interval,
  isCurrent,
  isSold,
  isBusy,
  isDisabled,
  onCheckOut,
  onLeavePaid,
}: PlanCardProps) {
  const { label, leadsTo } = callToAction(plan);
  const badge = badgeOf(plan);
  return (
    <li className={classes.card}>
      <h2 className={classes.name}>
        {plan.name}
        {badge === null ? null : <Badge tone={plan.id === 'ultra' ? 'accent' : 'neutral'}>{badge}</Badge>}
      </h2>
      <p className={classes.price}>{priceText(plan, interval)}</p>
      <p className={classes.monthly}>{interval === 'year' ? monthlyOfYear(plan) : null}</p>
      <div className={classes.way}>
        {isCurrent ? (
          <p className={classes.current}>
            <IconCheck size={16} stroke={1.75} aria-hidden />
            Your plan
          </p>
        ) : isSold && leadsTo === 'checkout' ? (
          <Button variant="filled" loading={isBusy} disabled={isDisabled && !isBusy} onClick={onCheckOut}>
            {label}
          </Button>
        ) : isSold && leadsTo === '/request-demo' ? (
          <Button component="a" href={leadsTo}>
            {label}
          </Button>
        ) : isSold && onLeavePaid !== null ? (
          <Button disabled={isDisabled} onClick={onLeavePaid}>
            Cancel in Stripe
          </Button>
        ) : null}
      </div>
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

function FeatureValue({ value }: { value: number | boolean }) {
  if (typeof value === 'number') return <span className="num">{amountText(value)}</span>;
  const Glyph = value ? IconCheck : IconMinus;
  return (
    <>
      <Glyph size={16} stroke={1.75} aria-hidden />
      <span className="vh">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}

/** Where the plans will be. */
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
