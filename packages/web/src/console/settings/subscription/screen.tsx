import { useQuery } from '@tanstack/react-query';
import { SELF_HOSTED } from '@winnow/contract/plan';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { PlanCards } from '../../pricing/plan-cards.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { customPlansOptions, plansOptions, useSyncedSubscription } from './queries.ts';

/** Settings: what the account pays for, and what else it can have. */
export function SubscriptionScreen() {
  const { synced, current } = useSyncedSubscription();
  const plans = useQuery(plansOptions);
  const custom = useQuery(customPlansOptions);
  const failed = [
    { query: current, title: 'Failed to load subscription details.' },
    { query: plans, title: 'Failed to load public plans.' },
    { query: custom, title: 'Failed to load custom plans.' },
  ].find(({ query }) => query.isError);
  if (failed !== undefined) {
    return (
      <Page>
        <ErrorState
          error={failed.query.error}
          title={failed.title}
          onRetry={() => void failed.query.refetch()}
          retrying={failed.query.isFetching}
        />
      </Page>
    );
  }
  if (current.data === undefined || plans.data === undefined || custom.data === undefined) {
    return (
      <Page>
        <Loading label="Loading…">
          <TextSkeleton width="100%" height={120} />
          <TextSkeleton width="100%" height={320} />
        </Loading>
      </Page>
    );
  }
  const known = [...plans.data, ...custom.data];
  const planId = current.data?.plan_id ?? 'free';
  const isSoldHere = current.data?.status !== SELF_HOSTED;
  const others = known.filter(({ id, price_monthly }) => id !== planId && (price_monthly ?? 0) > 0);
  return (
    <Page>
      <CurrentPlan
        current={current.data}
        plan={known.find(({ id }) => id === planId) ?? null}
        isOld={synced.isError && isSoldHere}
      />
      {isSoldHere ? <PlanCards plans={others} current={current.data} /> : null}
    </Page>
  );
}
