import type { BillingInterval, Plan } from '@winnow/contract/plan';
import { useState } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { checkOut as askForPlan } from '../../../features/plans/checkout.ts';
import { leavePage } from '../../../features/plans/leave-page.ts';
import { isBilled, readSubscription } from '../../../features/plans/subscription.ts';
import { loadSession } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Section, SectionHead } from '../../ui/section.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { IntervalChoice } from './interval-choice.tsx';
import classes from './page.module.css';
import { PlanCards } from './plan-cards.tsx';
import { PlanTable } from './plan-table.tsx';
import { usePlans } from './use-plans.ts';

// Scrolls to the message, because the button that failed may be far below it.
const bringIntoView = (message: HTMLElement | null) => message?.scrollIntoView({ block: 'nearest' });

/** The page at `/pricing`: prices and limits of the plans. */
export function Page() {
  const { state, retry } = usePlans();
  const [interval, setInterval] = useState<BillingInterval>('month');
  const [busyId, setBusyId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function checkOut({ id }: Plan): Promise<void> {
    setBusyId(id);
    setFailure(null);
    try {
      const { api, isSignedIn, publicApi } = await loadSession();
      // A change of a paid plan needs a confirmation. The console asks for it.
      if (isSignedIn() && isBilled(await readSubscription(api))) {
        await leavePage(`/console/pricing?${new URLSearchParams({ plan: id, interval })}`);
        return;
      }
      const call = isSignedIn() ? api : publicApi;
      const next = await askForPlan(call, { plan_id: id, interval });
      if (next.to === 'payment') await leavePage(next.address);
      else if (next.to === 'plan') await leavePage('/console/settings/subscription');
      else await leavePage(isSignedIn() ? '/console/pricing' : '/register');
    } catch (error) {
      setFailure(sentenceOf(error, 'The checkout could not be started. Please try again.'));
    } finally {
      setBusyId(null);
    }
  }

  return (
    <Section>
      <div className={classes.head}>
        <SectionHead
          level={1}
          title="Pricing"
          lead="Start free with the sample backlog. If you host Winnow yourself, you choose the plan."
        />
        <IntervalChoice interval={interval} onChange={setInterval} />
      </div>
      {failure === null ? null : (
        <div className={classes.failure} ref={bringIntoView}>
          <Alert tone="danger" onClose={() => setFailure(null)}>
            {failure}
          </Alert>
        </div>
      )}
      <div className={classes.plans}>
        {state.is === 'loading' ? (
          <>
            <Spinner label="Loading plans…" isLabelShown />
            <noscript>
              <p>Loading the plans requires JavaScript, which is turned off in this browser.</p>
            </noscript>
          </>
        ) : null}
        {state.is === 'failed' ? (
          <div className={classes.failed}>
            <Alert tone="danger">Failed to load pricing plans.</Alert>
            <Button onClick={retry}>Retry</Button>
          </div>
        ) : null}
        {state.is === 'loaded' ? (
          <>
            <PlanTable
              plans={state.plans}
              interval={interval}
              busyId={busyId}
              onCheckOut={(plan) => void checkOut(plan)}
            />
            <PlanCards
              plans={state.plans}
              interval={interval}
              busyId={busyId}
              onCheckOut={(plan) => void checkOut(plan)}
            />
          </>
        ) : null}
      </div>
    </Section>
  );
}
