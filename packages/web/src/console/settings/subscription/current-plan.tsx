import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react';
import { type Plan, SELF_HOSTED, type Subscription } from '@winnow/contract/plan';
import { Link } from 'react-router';
import { priceText } from '../../../plans/texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormMessage } from '../../../ui/form-message.tsx';
import { usePortal } from './queries.ts';
import classes from './subscription.module.css';
import { dateLine, paymentTrouble, portalFailure, statusChip } from './words.ts';

export interface CurrentPlanProps {
  /** Null: nothing is paid, which is the Free plan. */
  current: Subscription | null;
  /** Null where there is no such plan any more. */
  plan: Plan | null;
  /** Stripe could not be asked: what is shown may be old. */
  isOld: boolean;
}

/** The plan one is on: what is paid until when, and the way to Stripe's own pages. */
export function CurrentPlan({ current, plan, isOld }: CurrentPlanProps) {
  const portal = usePortal();
  const isPaid = current !== null && current.status !== SELF_HOSTED;
  const trouble = isPaid ? paymentTrouble(current.status) : null;
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
            {dateLine(current)}
            {isPaid && plan !== null && current.interval !== null
              ? ` · ${priceText(plan, current.interval)}`
              : null}
          </p>
        </div>
        <div className={classes.ways}>
          <Button component={Link} to="/console/api-usage">
            See what is used
          </Button>
          {isPaid ? (
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
      {trouble === null ? null : (
        <Alert mt="md" color="danger" role="note" icon={<IconAlertTriangle size={16} aria-hidden />}>
          {trouble}
        </Alert>
      )}
      {isOld ? (
        <Alert mt="md" color="warning" role="status" icon={<IconAlertTriangle size={16} aria-hidden />}>
          Stripe could not be asked just now. What is shown is what was known before.
        </Alert>
      ) : null}
    </Card>
  );
}
