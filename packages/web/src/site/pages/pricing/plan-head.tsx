import type { BillingInterval, Plan } from '@winnow/contract/plan';
import { badgeOf, callToAction, monthlyOfYear, priceText } from '../../../features/plans/price-texts.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import classes from './plan-head.module.css';

/** Props of both the plan table and the plan cards. */
export interface PlansProps {
  plans: readonly Plan[];
  interval: BillingInterval;
  /** Id of the plan whose checkout is being started. Null if no checkout is being started. */
  busyId: string | null;
  onCheckOut: (plan: Plan) => void;
}

/** The name of a plan with its badge. */
export function PlanName({ plan }: { plan: Plan }) {
  const badge = badgeOf(plan);
  return (
    <span className={classes.name}>
      {plan.name}
      {badge === null ? null : <Badge tone={plan.id === 'ultra' ? 'accent' : 'neutral'}>{badge}</Badge>}
    </span>
  );
}

/** The price of a plan with the button that orders it. */
export function PlanOffer({
  plan,
  interval,
  busyId,
  onCheckOut,
}: Omit<PlansProps, 'plans'> & { plan: Plan }) {
  const { label, leadsTo } = callToAction(plan, interval);
  const kind = plan.id === 'ultra' ? 'primary' : 'plain';
  const monthly = interval === 'year' ? monthlyOfYear(plan) : null;
  return (
    <div className={classes.offer}>
      <p className={classes.price}>{priceText(plan, interval)}</p>
      <p className={classes.monthly}>{monthly}</p>
      {leadsTo === null ? (
        <p className={classes.monthly}>{label}</p>
      ) : leadsTo === 'checkout' ? (
        <Button
          kind={kind}
          wide
          isBusy={busyId === plan.id}
          disabled={busyId !== null}
          onClick={() => onCheckOut(plan)}
        >
          {label}
        </Button>
      ) : (
        <ButtonLink href={leadsTo} kind={kind} wide>
          {label}
        </ButtonLink>
      )}
    </div>
  );
}
