import { useQuery } from '@tanstack/react-query';
import { checkoutRequest } from '@winnow/contract/plan';
import { useSearchParams } from 'react-router';
import { PlanCardSkeleton } from '../../features/plan-cards/plan-card.tsx';
import cards from '../../features/plan-cards/plan-cards.module.css';
import { PlanCards } from '../../features/plan-cards/plan-cards.tsx';
import { customPlansOptions, plansOptions, subscriptionOptions } from '../../features/plan-cards/queries.ts';
import { freeFirst } from '../../features/plans/price-texts.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';

/**
 * Pricing screen for signed-in users. The URL may contain a plan that the user selected on another
 * page.
 */
export function PricingScreen() {
  const plans = useQuery({ ...plansOptions, select: freeFirst });
  const custom = useQuery(customPlansOptions);
  const current = useQuery(subscriptionOptions);
  const [search, setSearch] = useSearchParams();
  const asked = checkoutRequest.safeParse({ plan_id: search.get('plan'), interval: search.get('interval') });
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
        <ul className={cards.cards} aria-label="Plans">
          <PlanCardSkeleton />
        </ul>
      ) : (
        <PlanCards
          plans={[...plans.data, ...custom.data]}
          known={[...plans.data, ...custom.data]}
          current={current.data}
          asked={asked.data ?? null}
          onAnswered={() => setSearch({}, { replace: true })}
        />
      )}
    </Page>
  );
}
