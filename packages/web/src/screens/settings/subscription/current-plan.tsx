import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react';
import { type Plan, type Subscription, subscriptionStatus } from '@winnow/contract/plan';
import { Link } from 'react-router';
import { KeepPlan } from '../../../features/plan-cards/keep-plan.tsx';
import { portalFailure } from '../../../features/plan-cards/plan-texts.ts';
import { usePortal } from '../../../features/plan-cards/queries.ts';
import { priceText } from '../../../features/plans/price-texts.ts';
import { isBilled } from '../../../features/plans/subscription.ts';
import { useApiUsage } from '../../../features/usage/queries.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import classes from './subscription.module.css';
import { dateLine, statusChip, usageLines } from './subscription-texts.ts';
import { WaitingChange } from './waiting-change.tsx';

export interface CurrentPlanProps {
  /** All plans that the account can select. */
  plans: readonly Plan[];
  /** The current subscription; null for the Free plan. */
  current: Subscription | null;
  /** The current plan; null if it was deleted. */
  plan: Plan | null;
  /** True if Stripe could not be reached. The subscription may then be outdated. */
  isOld: boolean;
}

/** The current plan with its payment state, and a link to the customer portal of Stripe. */
export function CurrentPlan({ plans, current, plan, isOld }: CurrentPlanProps) {
  const portal = usePortal();
  const { data: usage } = useApiUsage();
  const trouble = current === null ? undefined : subscriptionStatus(current.status).trouble;
  return (
    <Card title="Current plan" inset>
      <div className={classes.current}>
        <div className={classes.what}>
          <p className={classes.plan}>
            {plan?.name ?? 'Free'}
            {current === null ? null : (
              <Badge tone={statusChip(current.status).tone}>{statusChip(current.status).label}</Badge>
            )}
          </p>
          <p className={classes.date}>
            {dateLine(current, plans)}
            {isBilled(current) &&
            plan !== null &&
            current.interval !== null &&
            current.pending_change === null
              ? ` · ${priceText(plan, current.interval)}`
              : null}
          </p>
          {usage === undefined ? null : (
            <ul className={classes.used} aria-label="Used this month">
              {usageLines(usage.limits).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </div>
        <div className={classes.ways}>
          <KeepPlan current={current} plan={plan} />
          <Button component={Link} to="/console/pricing">
            Compare plans
          </Button>
          <Button component={Link} to="/console/api-usage">
            See what is used
          </Button>
          {isBilled(current) ? (
            <Button
              variant="filled"
              rightSection={<IconExternalLink size={16} stroke={1.75} aria-hidden />}
              loading={portal.isPending}
              onClick={() => portal.mutate()}
            >
              Manage in Stripe
            </Button>
          ) : null}
        </div>
      </div>
      {portal.isError ? <FormMessage tone="danger">{portalFailure(portal.error)}</FormMessage> : null}
      <WaitingChange current={current} plans={plans} />
      {trouble === undefined ? null : (
        <Alert mt="md" color="danger" role="note" icon={<IconAlertTriangle size={16} aria-hidden />}>
          {trouble}
        </Alert>
      )}
      {isOld ? (
        <Alert mt="md" color="warning" role="status" icon={<IconAlertTriangle size={16} aria-hidden />}>
          Stripe is not reachable at the moment. The data may be outdated.
        </Alert>
      ) : null}
    </Card>
  );
}
