import { useQuery } from '@tanstack/react-query';
import { freeFirst } from '../../plans/texts.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Page } from '../../ui/page.tsx';
import { customPlansOptions, plansOptions, subscriptionOptions } from '../settings/subscription/queries.ts';
import { PlanCardSkeleton } from './plan-card.tsx';
import { PlanCards } from './plan-cards.tsx';
import classes from './screen.module.css';

/** What each plan costs and allows, for somebody who is signed in. */
export function PricingScreen() {
  const plans = useQuery({ ...plansOptions, select: freeFirst });
  const custom = useQuery(customPlansOptions);
  const current = useQuery(subscriptionOptions);
  const failed = [plans, custom].find(({ isError }) => isError);
  return (
    <Page>
      {failed !== undefined ? (
        <ErrorState
          error={failed.error}
          title="Failed to load pricing plans."
          onRetry={() => void failed.refetch()}
          retrying={failed.isFetching}
        />
      ) : plans.data === undefined || custom.data === undefined || current.isPending ? (
        <ul className={classes.cards} aria-label="Plans">
          <PlanCardSkeleton />
        </ul>
      ) : (
        <PlanCards plans={[...plans.data, ...custom.data]} current={current.data} />
      )}
    </Page>
  );
}
